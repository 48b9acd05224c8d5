#pragma once

// GPU work whose recorded duration cannot be right: it wholly covers later work of its own stream, though a stream runs
// one thing after the other. Profilers write such durations when a completion is flushed late, and one of them inflates
// every total. Raw durations are kept; an estimate ends the suspect at the next start on its stream. Work replayed by a
// graph launch is not judged: its branches run at the same time under one stream's name.
//
// Cost: O(n) for n events in order of time, O(n log n) otherwise and on streams with suspects.

#include <cstdint>
#include <vector>

#include "core/tree/call_tree.hpp"
#include "core/analysis/gpu_population.hpp"

namespace kinetoscope::analysis {

struct SuspectDuration {
  EventId event = no_event;
  std::int64_t clipped_end_ns = 0;  ///< the next start on its stream
  std::uint64_t covered = 0;        ///< later events of its stream that lie wholly inside, at least 1
  friend bool operator==(const SuspectDuration&, const SuspectDuration&) = default;
};

/// Sorted by event.
[[nodiscard]] std::vector<SuspectDuration> find_suspect_durations(const CallTree& tree);
/// The population with the suspects' estimated ends.
[[nodiscard]] GpuPopulation measure_clipped(const Trace& trace, const GpuBuckets& buckets,
                                            std::span<const EventId> gpu_events,
                                            std::span<const SuspectDuration> suspects);
}  // namespace kinetoscope::analysis
