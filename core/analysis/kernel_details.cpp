#include "core/analysis/kernel_details.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/format.h>

#include "core/base/cell.hpp"
#include "core/base/python_literal.hpp"
#include "core/base/unicode.hpp"

namespace kinetoscope::analysis {
namespace {

constexpr std::size_t shortened_characters = 64;

/// One kernel of one launch.
struct Ran {
  std::uint32_t position = 0;
  NameId name = no_name;
  EventId event = no_event;
};

std::vector<Ran> all_that_ran(const Trace& trace, const Launchers& launchers, std::span<const std::uint32_t> places) {
  std::vector<Ran> out;
  std::size_t count = 0;
  for (const std::uint32_t place : places) count += launchers.launchers[place].events;
  out.reserve(count);
  for (const std::uint32_t place : places) {
    std::uint32_t position = 0;
    for (const EventId event : launchers.events_of(launchers.launchers[place])) {
      out.push_back({position++, trace.name(event), event});
    }
  }
  const auto is_before = [](const Ran& left, const Ran& right) {
    return std::tie(left.position, left.name) < std::tie(right.position, right.name);
  };
  // Stable: the first kernel of an entry is that of the row's first launch.
  if (!std::ranges::is_sorted(out, is_before)) std::ranges::stable_sort(out, is_before);
  return out;
}

std::string number(std::int64_t duration_ns) { return python_number(microseconds(duration_ns)); }
std::string number(double duration_ns) { return python_number(duration_ns / 1e3); }
/// To two decimals, a half to the even digit: rounded while it is in nanoseconds, where a half is exact.
std::string rounded_us(double duration_ns) { return python_number(std::rint(duration_ns / 10) / 100); }
std::string stream_text(const KernelDetail& detail) {
  return detail.stream ? fmt::to_string(*detail.stream) : std::string("None");
}
std::string share_text(const KernelDetail& detail) {
  if (!detail.overlap_share) return {};
  return fmt::format("'overlap_pct': {}, ", python_number(rounded_to_hundredths(*detail.overlap_share)));
}
}  // namespace

std::optional<std::int64_t> stream_number(const Trace& trace, EventId gpu_event) {
  const StreamId stream = trace.stream(gpu_event);
  if (stream == no_stream) return {};
  return trace.streams()[index_of(stream)].stream;
}

std::vector<KernelDetail> kernel_details(const Trace& trace, const Launchers& launchers,
                                         std::span<const std::uint32_t> places) {
  const std::vector<Ran> all = all_that_ran(trace, launchers, places);
  std::vector<KernelDetail> out;
  std::vector<std::int64_t> times_ns;
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    const Ran& first = all[begin];
    times_ns.clear();
    for (; end < all.size() && all[end].position == first.position && all[end].name == first.name; ++end) {
      times_ns.push_back(timed_ns(trace, all[end].event));
    }
    out.push_back(
        {trace.text(first.name), stream_number(trace, first.event), first.position, {}, statistics_of(times_ns)});
  }
  std::ranges::sort(out, [](const KernelDetail& left, const KernelDetail& right) {
    return std::tie(left.time.sum, left.name, left.stream, left.position) <
           std::tie(right.time.sum, right.name, right.stream, right.position);
  });
  return out;
}

std::string details_text(std::span<const KernelDetail> details) {
  std::string out = "[";
  for (const KernelDetail& detail : details) {
    if (out.size() > 1) out += ", ";
    out += fmt::format(
        "{{'name': {}, 'stream': {}, {}'count': {}, 'total_duration_us': {}, 'mean_duration_us': {}, "
        "'median_duration_us': {}, 'std_dev_duration_us': {}, 'min_duration_us': {}, 'max_duration_us': {}}}",
        python_string(detail.name), stream_text(detail), share_text(detail), detail.time.count, number(detail.time.sum),
        number(detail.time.mean), number(detail.time.median), number(detail.time.population_deviation),
        number(detail.time.min), number(detail.time.max));
  }
  return out + "]";
}

std::string short_details_text(std::span<const KernelDetail> details) {
  if (details.empty()) return {};
  std::string out = "[";
  for (const KernelDetail& detail : details) {
    if (out.size() > 1) out += ", ";
    out += fmt::format("{{'name': {}, 'stream': {}, 'mean_duration_us': {}}}",
                       python_string(shortened_name(detail.name)), stream_text(detail), rounded_us(detail.time.mean));
  }
  return out + "]";
}

std::string shortened_name(std::string_view name) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < shortened_characters && end < name.size(); ++i) {
    static_cast<void>(next_character(name, end));
  }
  return end == name.size() ? std::string(name) : std::string(name.substr(0, end)) + "...";
}

double rounded_to_hundredths(double value) { return std::rint(value * 100) / 100; }
}  // namespace kinetoscope::analysis
