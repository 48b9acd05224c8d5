#include "core/analysis/busy_time.hpp"

#include <algorithm>
#include <optional>
#include <tuple>

namespace kinetoscope::analysis {

void sort_by_start(const Trace& trace, std::span<EventId> events) {
  const auto starts_before = [&](EventId left, EventId right) {
    return std::tuple(trace.begin_ns(left), left) < std::tuple(trace.begin_ns(right), right);
  };
  if (!std::ranges::is_sorted(events, starts_before)) std::ranges::sort(events, starts_before);
}

std::int64_t busy_ns(const Trace& trace, std::span<const EventId> events) {
  std::int64_t busy = 0;
  std::int64_t until_ns = INT64_MIN;
  for (const EventId event : events) {
    const std::optional<Interval> extent = trace.extent(event);
    if (!extent || extent->end_ns <= until_ns) continue;
    busy += extent->end_ns - std::max(extent->begin_ns, until_ns);
    until_ns = extent->end_ns;
  }
  return busy;
}
}  // namespace kinetoscope::analysis
