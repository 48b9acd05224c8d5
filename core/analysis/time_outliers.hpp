#pragma once

// Single events that spoil the times of a whole trace: one so long that every other share is an illusion, and early
// strays that stretch the span.
// Cost: O(n log n) for n GPU events.

#include <cstdint>
#include <optional>
#include <span>

#include "core/analysis/gpu_population.hpp"
#include "core/analysis/suspect_durations.hpp"

namespace kinetoscope::analysis {

struct DominatingEvent {
  EventId event = no_event;
  std::int64_t duration_ns = 0;
  double share = 0;  ///< of all GPU time, durations added up
  friend bool operator==(const DominatingEvent&, const DominatingEvent&) = default;
};

/// The longest event, when it has most of the time and no kernel can be so long, or when it covers later work of its
/// own stream (find_suspect_durations). A program that does one long thing is none.
[[nodiscard]] std::optional<DominatingEvent> find_dominating_event(const Trace& trace, const GpuPopulation& all,
                                                                   std::span<const SuspectDuration> suspects);

struct EarlyStrays {
  std::uint64_t events = 0;
  std::int64_t span_without_ns = 0;
  friend bool operator==(const EarlyStrays&, const EarlyStrays&) = default;
};

/// A handful of events long before all others.
[[nodiscard]] std::optional<EarlyStrays> find_early_strays(const Trace& trace, const GpuPopulation& all);
}  // namespace kinetoscope::analysis
