#include "core/analysis/time_outliers.hpp"

#include <algorithm>
#include <vector>

#include "core/analysis/fitness_limits.hpp"

namespace kinetoscope::analysis {

std::optional<DominatingEvent> find_dominating_event(const Trace& trace, const GpuPopulation& all,
                                                     std::span<const SuspectDuration> suspects) {
  DominatingEvent longest;
  for (const EventId event : trace.gpu_events()) {
    const std::optional<Interval> extent = trace.extent(event);
    if (!extent || extent->end_ns - extent->begin_ns <= longest.duration_ns) continue;
    longest = {event, extent->end_ns - extent->begin_ns, 0};
  }
  if (longest.event == no_event || all.kernel_sum_ns <= 0) return {};
  longest.share = static_cast<double>(longest.duration_ns) / static_cast<double>(all.kernel_sum_ns);
  if (longest.share < fitness_limits::dominating_share) return {};
  const bool is_suspect =
      std::ranges::any_of(suspects, [&](const SuspectDuration& suspect) { return suspect.event == longest.event; });
  if (!is_suspect && longest.duration_ns < fitness_limits::implausible_duration_ns) return {};
  return longest;
}

std::optional<EarlyStrays> find_early_strays(const Trace& trace, const GpuPopulation& all) {
  std::vector<Interval> extents;
  for (const EventId event : trace.gpu_events()) {
    if (const std::optional<Interval> extent = trace.extent(event)) extents.push_back(*extent);
  }
  if (extents.size() < fitness_limits::fewest_events_for_strays || all.span_ns <= 0) return {};
  std::ranges::sort(extents, {}, &Interval::begin_ns);
  const auto tolerated =
      static_cast<std::size_t>(fitness_limits::stray_events_share * static_cast<double>(extents.size()));
  std::int64_t end_ns = extents.front().end_ns;
  for (std::size_t strays = 1; strays <= std::max<std::size_t>(tolerated, 1); ++strays) {
    const std::int64_t gap_ns = extents[strays].begin_ns - end_ns;
    if (static_cast<double>(gap_ns) > fitness_limits::stray_gap_share * static_cast<double>(all.span_ns)) {
      return EarlyStrays{strays, all.span_ns - (extents[strays].begin_ns - extents.front().begin_ns)};
    }
    end_ns = std::max(end_ns, extents[strays].end_ns);
  }
  return {};
}
}  // namespace kinetoscope::analysis
