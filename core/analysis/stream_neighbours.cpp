#include "core/analysis/stream_neighbours.hpp"

#include <utility>

namespace kinetoscope::analysis {

StreamNeighbours stream_neighbours(const Trace& trace, EventId gpu_event) {
  const StreamId stream = trace.stream(gpu_event);
  const std::optional<Interval> own = trace.extent(gpu_event);
  if (stream == no_stream || !own) return {};
  using Place = std::pair<std::int64_t, EventId>;
  const Place at{own->begin_ns, gpu_event};
  std::optional<Place> before;
  std::optional<Place> behind;
  for (const EventId event : trace.gpu_events()) {
    if (trace.stream(event) != stream || event == gpu_event) continue;
    const std::optional<Interval> extent = trace.extent(event);
    if (!extent) continue;
    const Place place{extent->begin_ns, event};
    if (place < at && (!before || place > *before)) before = place;
    if (place > at && (!behind || place < *behind)) behind = place;
  }
  StreamNeighbours out;
  if (before) out.previous = {before->second, own->begin_ns - trace.extent(before->second)->end_ns};
  if (behind) out.next = {behind->second, behind->first - own->end_ns};
  return out;
}
}  // namespace kinetoscope::analysis
