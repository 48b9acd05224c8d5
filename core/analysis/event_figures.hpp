#pragma once

// What there is to say of the durations of some events, and of the GPU work that belongs to them.

#include <cstdint>
#include <optional>
#include <span>

#include "core/base/wide_sum.hpp"

namespace kinetoscope::analysis {

/// count - untimed events are in the figures of time, which are absent where there is none. Percentiles are durations
/// that occur: the smallest that so many percent of the timed events do not exceed.
struct EventFigures {
  std::uint64_t count = 0;
  std::uint64_t untimed = 0;  ///< without a usable duration
  WideSum sum_ns = 0;
  std::optional<double> mean_ns{};
  std::optional<std::int64_t> min_ns{};
  std::optional<std::int64_t> max_ns{};
  std::optional<std::int64_t> p50_ns{};
  std::optional<std::int64_t> p95_ns{};
  std::optional<std::int64_t> p99_ns{};
  std::optional<WideSum> gpu_ns{};      ///< EventGpuTime::total_ns() added up; absent where no event has it
  std::optional<WideSum> own_gpu_ns{};  ///< EventGpuTime::own_ns() likewise
  std::optional<double> gpu_share{};    ///< own_gpu_ns of the population's, 0 to 1; absent where that is 0
  friend bool operator==(const EventFigures&, const EventFigures&) = default;
};

/// Sets the figures of time but for sum_ns. `durations_ns` are those of all timed events; reorders them. O(n).
void measure_durations(std::span<std::int64_t> durations_ns, EventFigures& figures);
}  // namespace kinetoscope::analysis
