#pragma once

// What the devices' time went to: computation, communication and copies that nothing hides, and idleness. Interval
// algebra in nanoseconds over the union of the given work, streams and devices merged. gpu_population.hpp measures with
// this too, so that there is one formula.
//
// Invariant, exact: computation + exposed communication + exposed copies = busy, busy + idle = total, micro + macro
// idle = idle. O(n log n) for n events; O(n) where each bucket's events are in order.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/interval_set.hpp"
#include "core/trace/trace.hpp"
#include "core/analysis/gpu_population.hpp"

namespace kinetoscope::analysis {

struct Timeline {
  std::uint64_t events = 0;         ///< those with usable times; others take no part
  std::int64_t computation_ns = 0;  ///< some computation ran (kernels that neither communicate nor copy, and fills)
  std::int64_t exposed_communication_ns = 0;  ///< communication that no computation hides
  std::int64_t exposed_memcpy_ns = 0;         ///< copies that neither computation nor communication hides
  std::int64_t busy_ns = 0;                   ///< some work ran
  std::int64_t idle_ns = 0;
  std::int64_t micro_idle_ns = 0;  ///< of idle_ns, in gaps shorter than asked for; 0 when nobody asked
  std::int64_t macro_idle_ns = 0;  ///< in the other gaps
  std::int64_t total_ns = 0;       ///< from the first start to the last end
  std::int64_t communication_ns = 0;
  std::int64_t memcpy_ns = 0;
  friend bool operator==(const Timeline&, const Timeline&) = default;
};

/// Collects when work ran, then measures.
class TimelineMeasurement {
 public:
  void add(GpuBucket bucket, Interval extent);
  /// From the first start to the last end of what was added; absent without any.
  [[nodiscard]] std::optional<Interval> span() const noexcept;
  /// Gaps shorter than `micro_idle_ns` are micro. A gap is a longest time in which nothing runs: work of no duration
  /// does not divide it.
  [[nodiscard]] Timeline finish(std::optional<std::int64_t> micro_idle_ns = {}) &&;

 private:
  std::array<std::vector<Interval>, 3> by_bucket_;
  std::uint64_t events_ = 0;
  std::int64_t first_ns_ = INT64_MAX;
  std::int64_t last_ns_ = INT64_MIN;
};

[[nodiscard]] Timeline measure_timeline(const Trace& trace, const GpuBuckets& buckets, std::span<const EventId> events,
                                        std::optional<std::int64_t> micro_idle_ns = {});
}  // namespace kinetoscope::analysis
