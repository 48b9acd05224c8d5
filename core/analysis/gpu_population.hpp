#pragma once

// How long a set of GPU events kept its devices busy, and with what. Computed by interval algebra in nanoseconds over
// the union of all devices' streams, so that busy + idle = span, and computation hidden communication apart from
// exposed.

#include <cstdint>
#include <span>

#include "core/base/huge_array.hpp"
#include "core/base/wide_sum.hpp"
#include "core/trace/trace.hpp"

namespace kinetoscope::analysis {

/// busy_ns + idle_ns = span_ns. busy_ns <= kernel_sum_ns. exposed_communication_ns <= communication_ns <= busy_ns.
struct GpuPopulation {
  std::uint64_t events = 0;   ///< kernels, copies and fills, timed or not
  std::uint64_t untimed = 0;  ///< of them, those without usable times: counted, in none of the figures below
  WideSum kernel_sum_ns = 0;  ///< durations added up
  std::int64_t busy_ns = 0;   ///< some event ran
  std::int64_t span_ns = 0;   ///< from the first start to the last end
  std::int64_t idle_ns = 0;
  std::int64_t computation_ns = 0;  ///< some computation ran (kernels that neither communicate nor copy, and fills)
  std::int64_t communication_ns = 0;
  std::int64_t exposed_communication_ns = 0;  ///< communication that no computation hides
  std::int64_t memcpy_ns = 0;
  friend bool operator==(const GpuPopulation&, const GpuPopulation&) = default;
};

/// What a GPU event's time counts as (trace_model 11; copies by copy kernels are copies).
enum class GpuBucket : std::uint8_t { computation, communication, memcpy };

/// The bucket of every name that GPU work bears, each name classified once.
class GpuBuckets {
 public:
  explicit GpuBuckets(const Trace& trace);
  [[nodiscard]] GpuBucket of(EventId gpu_event) const noexcept;

 private:
  const Trace* trace_;
  HugeArray<std::uint8_t> by_name_;
};

/// How long it ran; 0 where the trace does not say.
[[nodiscard]] std::int64_t timed_ns(const Trace& trace, EventId gpu_event) noexcept;

/// Another end for an event whose recorded one is suspect.
struct ClippedEnd {
  EventId event = no_event;
  std::int64_t end_ns = 0;
};

/// `clipped` is sorted by event; its ends stand in for the recorded ones. A part of the GPU work (one device's, one
/// stream's) is measured by giving only that. O(n log n) for n events; O(n) where they are in order.
[[nodiscard]] GpuPopulation measure_population(const Trace& trace, const GpuBuckets& buckets,
                                               std::span<const EventId> gpu_events,
                                               std::span<const ClippedEnd> clipped = {});
}  // namespace kinetoscope::analysis
