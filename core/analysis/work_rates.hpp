#pragma once

// Rates of calls that a model knows: what a call had to do over how long its GPU work ran, for a group of calls each by
// itself, and of the group's totals. A call whose work has no time has no rate.

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/known.hpp"
#include "core/base/statistics.hpp"
#include "core/perf_model/estimate.hpp"

namespace kinetoscope::analysis {

/// One call of a group.
struct RatedCall {
  const perf_model::Estimate* estimate = nullptr;  ///< nullptr without a model
  std::int64_t kernel_ns = 0;
};

struct WorkRates {
  RealStatistics tflops_per_s;     ///< of calls with FLOPs and time
  RealStatistics terabytes_per_s;  ///< of calls with bytes and time
  /// All FLOPs over all the time of the calls that have both.
  Known<double> tflops_per_s_of_totals = Reason::not_applicable;
  Known<double> terabytes_per_s_of_totals = Reason::not_applicable;
  friend bool operator==(const WorkRates&, const WorkRates&) = default;
};

/// O(calls).
[[nodiscard]] WorkRates rates_of(std::span<const RatedCall> calls);
}  // namespace kinetoscope::analysis
