#pragma once

// How long some of a call's own GPU work ran: the union of its events' extents. O(n) for events in order of start.

#include <cstdint>
#include <span>

#include "core/trace/trace.hpp"

namespace kinetoscope::analysis {

/// By start, then in file order; work without a start stands first.
void sort_by_start(const Trace& trace, std::span<EventId> events);
/// Events in order of start.
[[nodiscard]] std::int64_t busy_ns(const Trace& trace, std::span<const EventId> events);
}  // namespace kinetoscope::analysis
