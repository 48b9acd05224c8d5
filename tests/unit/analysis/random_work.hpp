#pragma once

// Small traces of random GPU work for identities: several devices and streams, overlaps, touching intervals, work of no
// duration, work without a launch. Short enough to be measured by painting each nanosecond, which shares nothing with
// interval algebra. The same seed gives the same trace everywhere.

#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <random>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/analysis/gpu_population.hpp"
#include "tests/support/trace_builder.hpp"

namespace kinetoscope::analysis {

/// Begins and ends lie in [1, painted_ns).
inline constexpr std::int64_t painted_ns = 160;

[[nodiscard]] inline Trace random_work(std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto below = [&](std::int64_t limit) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint32_t>(limit));
  };
  constexpr std::array<std::string_view, 4> names = {"gemm", "relu", "ncclDevKernel_AllReduce_Sum_f32", "fill"};
  TestTrace trace;
  trace.op("aten::mm", 0, 10'000).launch("cudaLaunchKernel", 1, 2, 1).kernel("gemm", 1 + below(60), 80, 1);
  const std::int64_t events = below(14);
  for (std::int64_t i = 0; i < events; ++i) {
    // Tens make touching and equal bounds common.
    const std::int64_t begin_ns = below(2) == 0 ? 1 + below(100) : 10 * (1 + below(10));
    const std::int64_t end_ns = begin_ns + (below(6) == 0 ? 0 : below(2) == 0 ? below(50) : 10 * below(5));
    const std::int64_t correlation = i + 2;
    if (below(4) != 0) trace.launch("cudaLaunchKernel", 100 * (i + 1), 100 * (i + 1) + 5, correlation);
    trace.stream(below(3), below(3) == 0 ? 1 : 0);
    if (below(5) == 0) {
      trace.copy("Memcpy HtoD (Pinned -> Device)", begin_ns, end_ns, correlation);
    } else {
      trace.kernel(names[static_cast<std::size_t>(below(std::ssize(names)))], begin_ns, end_ns, correlation);
    }
  }
  return trace.load();
}
inline constexpr std::uint32_t random_traces = 300;

/// Who has each nanosecond: the place of an event among `events`, by bucket.
using PaintedBucket = std::array<std::optional<std::size_t>, painted_ns>;

/// Each nanosecond of a bucket belongs to the event running then that began first, the earlier of those that began
/// together.
[[nodiscard]] inline PaintedBucket painted(const Trace& trace, const GpuBuckets& buckets,
                                           const std::vector<EventId>& events, GpuBucket bucket) {
  PaintedBucket out;
  for (std::size_t at = 0; at < out.size(); ++at) {
    const auto now_ns = static_cast<std::int64_t>(at);
    for (std::size_t i = 0; i < events.size(); ++i) {
      const std::int64_t begin_ns = trace.begin_ns(events[i]);
      const bool runs = begin_ns <= now_ns && now_ns < begin_ns + trace.duration_ns(events[i]);
      if (!runs || buckets.of(events[i]) != bucket) continue;
      if (!out[at] || begin_ns < trace.begin_ns(events[*out[at]])) out[at] = i;
    }
  }
  return out;
}
}  // namespace kinetoscope::analysis
