#pragma once

// What ran before and after GPU work on its stream, linked or not. O(GPU events).

#include <cstdint>
#include <optional>

#include "core/trace/trace.hpp"

namespace kinetoscope::analysis {

struct StreamNeighbour {
  EventId event = no_event;
  std::int64_t gap_ns = 0;  ///< from the end of one to the start of the other; negative where they overlap
  friend bool operator==(const StreamNeighbour&, const StreamNeighbour&) = default;
};
struct StreamNeighbours {
  std::optional<StreamNeighbour> previous;
  std::optional<StreamNeighbour> next;
  friend bool operator==(const StreamNeighbours&, const StreamNeighbours&) = default;
};

/// By start, then by event id. Both absent where the event has no stream or no usable time.
[[nodiscard]] StreamNeighbours stream_neighbours(const Trace& trace, EventId gpu_event);
}  // namespace kinetoscope::analysis
