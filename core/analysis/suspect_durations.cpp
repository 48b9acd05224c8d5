#include "core/analysis/suspect_durations.hpp"

#include <algorithm>
#include <span>
#include <tuple>

namespace kinetoscope::analysis {
namespace {

struct Run {
  StreamId stream = no_stream;
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
  EventId event = no_event;
};

/// All timed GPU work, stream by stream, by start.
std::vector<Run> runs_by_stream(const Trace& trace) {
  std::vector<Run> runs;
  runs.reserve(trace.gpu_events().size());
  for (const EventId event : trace.gpu_events()) {
    const std::optional<Interval> extent = trace.extent(event);
    if (extent && extent->begin_ns < extent->end_ns) {
      runs.push_back({trace.stream(event), extent->begin_ns, extent->end_ns, event});
    }
  }
  const auto is_before = [](const Run& left, const Run& right) {
    return std::tuple(left.stream, left.begin_ns, left.event) < std::tuple(right.stream, right.begin_ns, right.event);
  };
  if (!std::ranges::is_sorted(runs, is_before)) std::ranges::sort(runs, is_before);
  return runs;
}

/// How many of the numbers added so far are at most another: a Fenwick tree over their ranks.
class RankCounter {
 public:
  explicit RankCounter(std::span<const Run> runs) : counts_(runs.size() + 1, 0) {
    ends_.reserve(runs.size());
    for (const Run& run : runs) ends_.push_back(run.end_ns);
    std::ranges::sort(ends_);
  }
  void add(std::int64_t end_ns) {
    const auto place = std::ranges::lower_bound(ends_, end_ns) - ends_.begin();
    for (auto at = static_cast<std::size_t>(place) + 1; at < counts_.size(); at += at & (0 - at)) ++counts_[at];
  }
  [[nodiscard]] std::uint64_t at_most(std::int64_t end_ns) const {
    std::uint64_t total = 0;
    const auto place = std::ranges::upper_bound(ends_, end_ns) - ends_.begin();
    for (auto at = static_cast<std::size_t>(place); at > 0; at -= at & (0 - at)) total += counts_[at];
    return total;
  }

 private:
  std::vector<std::int64_t> ends_;
  std::vector<std::uint64_t> counts_;
};

bool is_replayed(const CallTree& tree, EventId event) {
  const NodeId launch = tree.launch(event);
  return launch != no_node && tree.runtime_call(launch) == names::RuntimeCall::graph_launch;
}

/// The suspects among one stream's runs, last first. Later is what starts later: of what starts together, neither.
std::vector<SuspectDuration> suspects_of(const CallTree& tree, std::span<const Run> runs) {
  std::vector<SuspectDuration> found;
  std::int64_t least_later_end_ns = INT64_MAX;
  std::size_t later = runs.size();  // the first run that starts later than those at hand
  for (std::size_t i = runs.size(); i-- > 0;) {
    if (later < runs.size() && least_later_end_ns <= runs[i].end_ns && !is_replayed(tree, runs[i].event)) {
      found.push_back({runs[i].event, runs[later].begin_ns, 0});
    }
    if (i > 0 && runs[i - 1].begin_ns == runs[i].begin_ns) continue;
    for (std::size_t same = i; same < later; ++same) {
      least_later_end_ns = std::min(least_later_end_ns, runs[same].end_ns);
    }
    later = i;
  }
  return found;
}

/// Fills in what each suspect covers; `suspects` as suspects_of() gives them.
void count_covered(std::span<const Run> runs, std::span<SuspectDuration> suspects) {
  RankCounter counter(runs);
  std::size_t later = runs.size();
  std::size_t next = 0;
  for (std::size_t i = runs.size(); i-- > 0;) {
    if (next < suspects.size() && suspects[next].event == runs[i].event) {
      suspects[next++].covered = counter.at_most(runs[i].end_ns);
    }
    if (i > 0 && runs[i - 1].begin_ns == runs[i].begin_ns) continue;
    for (std::size_t same = i; same < later; ++same) counter.add(runs[same].end_ns);
    later = i;
  }
}
}  // namespace

std::vector<SuspectDuration> find_suspect_durations(const CallTree& tree) {
  const std::vector<Run> runs = runs_by_stream(tree.trace());
  std::vector<SuspectDuration> out;
  for (std::size_t begin = 0; begin < runs.size();) {
    std::size_t end = begin;
    while (end < runs.size() && runs[end].stream == runs[begin].stream) ++end;
    const std::span<const Run> of_stream = std::span(runs).subspan(begin, end - begin);
    std::vector<SuspectDuration> found = suspects_of(tree, of_stream);
    if (!found.empty()) count_covered(of_stream, found);
    out.insert(out.end(), found.begin(), found.end());
    begin = end;
  }
  std::ranges::sort(out, {}, &SuspectDuration::event);
  return out;
}

GpuPopulation measure_clipped(const Trace& trace, const GpuBuckets& buckets, std::span<const EventId> gpu_events,
                              std::span<const SuspectDuration> suspects) {
  std::vector<ClippedEnd> clipped;
  clipped.reserve(suspects.size());
  for (const SuspectDuration& suspect : suspects) clipped.push_back({suspect.event, suspect.clipped_end_ns});
  return measure_population(trace, buckets, gpu_events, clipped);
}
}  // namespace kinetoscope::analysis
