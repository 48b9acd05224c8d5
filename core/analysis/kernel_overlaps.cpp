#include "core/analysis/kernel_overlaps.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/base/huge_array.hpp"
#include "core/base/interval_set.hpp"
#include "core/base/python_literal.hpp"
#include "core/base/text_index.hpp"
#include "core/analysis/parent_operators.hpp"

namespace kinetoscope::analysis {
namespace {

/// A GPU event that takes part, and what tells it from others.
struct Runner {
  Interval extent;
  EventId event = no_event;
  StreamId stream = no_stream;
  NodeId operator_node = no_node;
};

struct Pair {
  std::uint32_t one = 0;
  std::uint32_t other = 0;
};

/// Events of some length, by start.
std::vector<Runner> runners_of(const TableInput& input) {
  std::vector<Runner> out;
  out.reserve(input.events().size());
  ParentOperators operators(input.tree());
  for (const EventId event : input.events()) {
    const std::optional<Interval> extent = input.trace().extent(event);
    if (!extent || extent->begin_ns == extent->end_ns) continue;
    out.push_back({*extent, event, input.trace().stream(event), operators.around(input.tree().launch(event))});
  }
  std::ranges::sort(out, [](const Runner& left, const Runner& right) {
    return std::tie(left.extent.begin_ns, left.event) < std::tie(right.extent.begin_ns, right.event);
  });
  return out;
}

std::int64_t common_ns(const Runner& one, const Runner& other) {
  return std::min(one.extent.end_ns, other.extent.end_ns) - std::max(one.extent.begin_ns, other.extent.begin_ns);
}

bool is_pair(const Runner& one, const Runner& other) {
  if (one.stream != no_stream && one.stream == other.stream) return false;
  if (one.operator_node != no_node && one.operator_node == other.operator_node) return false;
  return common_ns(one, other) >= least_overlap_ns;
}

/// How many pairs run at one time, whatever their streams: each with those that began before it and have not ended.
std::uint64_t concurrent_pairs(std::span<const Runner> runners) {
  std::vector<std::int64_t> ends_ns;
  ends_ns.reserve(runners.size());
  for (const Runner& runner : runners) ends_ns.push_back(runner.extent.end_ns);
  std::ranges::sort(ends_ns);
  std::uint64_t pairs = 0;
  std::size_t ended = 0;
  for (std::size_t i = 0; i < runners.size(); ++i) {
    while (ends_ns[ended] <= runners[i].extent.begin_ns) ++ended;
    pairs += i - ended;
  }
  return pairs;
}

/// Which runners ran together.
class Pairs {
 public:
  Pairs(std::span<const Runner> runners, std::uint64_t most_compared) {
    std::vector<std::uint32_t> active;
    std::uint64_t compared = 0;
    for (std::uint32_t i = 0; i < runners.size() && compared <= most_compared; ++i) {
      // Those that have ended are taken out when they are met: each is met once after its end.
      std::erase_if(active, [&](std::uint32_t other) {
        if (runners[other].extent.end_ns <= runners[i].extent.begin_ns) return true;
        if (compared++ < most_compared && is_pair(runners[i], runners[other])) pairs_.push_back({other, i});
        return false;
      });
      active.push_back(i);
    }
    if (compared > most_compared) {
      not_compared_ = concurrent_pairs(runners) - most_compared;
    } else {
      index(runners.size());
    }
  }

  /// In order of start.
  [[nodiscard]] std::span<const std::uint32_t> of(std::size_t runner) const noexcept {
    return std::span(others_).subspan(first_[runner], first_[runner + 1] - first_[runner]);
  }
  [[nodiscard]] std::uint64_t not_compared() const noexcept { return not_compared_; }

 private:
  void index(std::size_t runners) {
    first_.assign(runners + 1, 0);
    for (const Pair& pair : pairs_) {
      ++first_[pair.one + std::size_t{1}];
      ++first_[pair.other + std::size_t{1}];
    }
    for (std::size_t i = 0; i < runners; ++i) first_[i + 1] += first_[i];
    others_.resize(first_.back());
    std::vector<std::uint32_t> next = first_;
    for (const Pair& pair : pairs_) {
      others_[next[pair.one]++] = pair.other;
      others_[next[pair.other]++] = pair.one;
    }
    std::vector<Pair>().swap(pairs_);  // assigning an empty one would keep the memory
  }

  std::vector<Pair> pairs_;
  std::vector<std::uint32_t> first_;
  std::vector<std::uint32_t> others_;
  std::uint64_t not_compared_ = 0;
};

double share_of(double part_ns, std::int64_t whole_ns) {
  return whole_ns == 0 ? 0 : part_ns / static_cast<double>(whole_ns);
}

/// The nearest whole number that there is.
std::int64_t whole_ns(double time_ns) {
  constexpr double beyond = 9223372036854775808.0;  // 2^63
  const double rounded_ns = std::rint(time_ns);
  return rounded_ns < beyond ? static_cast<std::int64_t>(rounded_ns) : INT64_MAX;
}

/// Collects what ran beside one launcher, by name, in memory for each name of the trace.
class ByName {
 public:
  explicit ByName(const Trace& trace) : trace_(trace), places_(trace.names_count() + 1, no_place) {}

  void add(EventId event, std::int64_t duration_ns, double share) {
    const NameId name = trace_.name(event);
    std::uint32_t& place = place_of(name);
    if (place == no_place) {
      place = static_cast<std::uint32_t>(found_.size());
      found_.push_back({name, event});
    }
    Found& one = found_[place];
    ++one.events;
    one.duration_ns += static_cast<double>(duration_ns);
    one.share += share;
  }

  /// Adds what was collected to `out`, and forgets it.
  void finish(KernelOverlaps& out) {
    std::ranges::sort(found_, {}, &Found::name);
    names_.clear();
    for (const Found& one : found_) {
      names_.push_back(one.name);
      place_of(one.name) = no_place;
      if (found_.size() > most_overlapping_names) continue;
      const auto events = static_cast<double>(one.events);
      out.all.push_back({one.name, one.first, whole_ns(one.duration_ns / events), one.share / events});
    }
    const std::string_view bytes(reinterpret_cast<const char*>(names_.data()), names_.size() * sizeof(NameId));
    out.names.push_back({sets_.add(bytes).index, static_cast<std::uint32_t>(found_.size())});
    out.first.push_back(static_cast<std::uint32_t>(out.all.size()));
    found_.clear();
  }

 private:
  static constexpr std::uint32_t no_place = 0xffff'ffff;
  struct Found {
    NameId name = no_name;
    EventId first = no_event;
    std::uint64_t events = 0;
    double duration_ns = 0;
    double share = 0;
  };
  /// What has no name stands behind all that have one.
  [[nodiscard]] std::uint32_t& place_of(NameId name) noexcept {
    return places_[name == no_name ? places_.size() - 1 : index_of(name)];
  }

  const Trace& trace_;
  std::vector<std::uint32_t> places_;  // by name: among those found
  std::vector<Found> found_;
  std::vector<NameId> names_;
  TextIndex sets_;
};

double rounded(double value) { return rounded_to_hundredths(value); }
}  // namespace

KernelOverlaps find_overlaps(const TableInput& input, const Launchers& launchers, std::uint64_t most_compared) {
  const std::vector<Runner> runners = runners_of(input);
  const Pairs pairs(runners, most_compared);
  KernelOverlaps out;
  out.not_compared = pairs.not_compared();
  if (out.not_compared > 0) return out;
  HugeArray<std::uint32_t> runner_of(input.trace().size(), UINT32_MAX);
  for (std::uint32_t i = 0; i < runners.size(); ++i) runner_of[index_of(runners[i].event)] = i;
  out.first.push_back(0);
  ByName by_name(input.trace());
  for (const Launcher& launcher : launchers.launchers) {
    double overlapped_ns = 0;
    for (const EventId event : launchers.events_of(launcher)) {
      const std::uint32_t own = runner_of[index_of(event)];
      if (own == UINT32_MAX) continue;
      std::vector<Interval> common;
      common.reserve(pairs.of(own).size());
      for (const std::uint32_t other : pairs.of(own)) {
        const Interval& theirs = runners[other].extent;
        const auto common_time_ns = static_cast<double>(common_ns(runners[own], runners[other]));
        by_name.add(runners[other].event, theirs.end_ns - theirs.begin_ns,
                    share_of(common_time_ns, launcher.direct_ns));
        common.push_back({std::max(theirs.begin_ns, runners[own].extent.begin_ns),
                          std::min(theirs.end_ns, runners[own].extent.end_ns)});
      }
      overlapped_ns += static_cast<double>(IntervalSet(std::move(common)).total_ns());
    }
    by_name.finish(out);
    out.shares.push_back(share_of(overlapped_ns, launcher.direct_ns));
  }
  return out;
}

OverlapSummary summarize_overlaps(const Trace& trace, const KernelOverlaps& overlaps,
                                  std::span<const std::uint32_t> launchers) {
  OverlapSummary out;
  out.names = overlaps.names[launchers.front()].names;
  if (out.names == 0) return out;
  const std::span<const Overlapping> first = overlaps.of(launchers.front());
  std::vector<std::int64_t> times_ns;
  for (std::size_t i = 0; i < first.size(); ++i) {
    times_ns.clear();
    double share = 0;
    for (const std::uint32_t launcher : launchers) {
      const Overlapping& one = overlaps.of(launcher)[i];
      times_ns.push_back(one.mean_duration_ns);
      share += one.mean_share;
    }
    out.kernels.push_back({trace.text(first[i].name), stream_number(trace, first[i].first),
                           static_cast<std::uint32_t>(i), share / static_cast<double>(launchers.size()),
                           statistics_of(times_ns)});
  }
  std::ranges::sort(out.kernels, [](const KernelDetail& left, const KernelDetail& right) {
    return std::tie(left.time.sum, left.name) < std::tie(right.time.sum, right.name);
  });
  // Shares in billionths are whole numbers, which statistics_of takes.
  constexpr double unit = 1e9;
  std::vector<std::int64_t> shares;
  for (const std::uint32_t launcher : launchers) {
    shares.push_back(static_cast<std::int64_t>(std::rint(overlaps.shares[launcher] * unit)));
  }
  const Statistics statistics = statistics_of(shares);
  out.mean = rounded(statistics.mean / unit);
  out.median = rounded(statistics.median / unit);
  out.deviation = rounded(statistics.sample_deviation.value_or(0) / unit);
  out.min = rounded(static_cast<double>(statistics.min) / unit);
  out.max = rounded(static_cast<double>(statistics.max) / unit);
  return out;
}

std::string overlapping_names(std::span<const KernelDetail> kernels) {
  if (kernels.empty()) return {};
  std::vector<std::string_view> names;
  names.reserve(kernels.size());
  for (const KernelDetail& kernel : kernels) names.push_back(kernel.name);
  std::ranges::sort(names);
  std::string out = "[";
  for (const std::string_view name : names) {
    if (out.size() > 1) out += ", ";
    out += python_string(name);
  }
  return out + "]";
}
}  // namespace kinetoscope::analysis
