#pragma once

// Each instant of GPU time counted once (decision 5): what a kernel adds to the timeline, so that sums over operators
// are parts of it. An instant belongs to computation where some runs, else to communication, else to copies, which is
// how the timeline tells exposed from hidden; within each, to the event that began first, and after its end to the
// next.
//
// Invariant, in exact nanoseconds: over computation the counted times add up to computation_time, over communication to
// exposed_comm_time, over copies to exposed_memcpy_time of the same events' timeline. O(n log n), O(n) in order.

#include <cstdint>
#include <span>
#include <vector>

#include "core/trace/trace.hpp"
#include "core/analysis/gpu_population.hpp"

namespace kinetoscope::analysis {

/// One for each of `events`, 0 for those that were not timed. Among events that begin together the earlier of `events`
/// is first.
[[nodiscard]] std::vector<std::int64_t> counted_times_ns(const Trace& trace, const GpuBuckets& buckets,
                                                         std::span<const EventId> events);
}  // namespace kinetoscope::analysis
