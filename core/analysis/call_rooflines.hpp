#pragma once

// Rooflines of calls: how long each has to take at least on the platform that the options settle on, and which share of
// its GPU time that is. Evaluated once for each distinct estimate and way of multiplying fp32, not once a call.
// Cost: O(1) a call, and O(its GPU events) for a matrix product of fp32 operands, whose kernels say how it ran.

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "core/base/statistics.hpp"
#include "core/base/wide_sum.hpp"
#include "core/perf_model/roofline.hpp"
#include "core/analysis/call_products.hpp"
#include "core/analysis/operator_work.hpp"

namespace kinetoscope::analysis {

/// Calls that have a roofline, added up.
struct RooflineTotals {
  std::uint64_t calls = 0;
  WideSum kernel_ns = 0;        ///< how long each call's GPU work ran
  std::int64_t counted_ns = 0;  ///< of it, what counts for them: no instant twice
  double flops = 0;
  double bytes_moved = 0;
  double time_ns = 0;         ///< what their rooflines take
  double recoverable_ns = 0;  ///< counted time beyond the roofline, call by call; a call below its roofline has none

  void add(const RooflineTotals& other) noexcept;
  friend bool operator==(const RooflineTotals&, const RooflineTotals&) = default;
};

/// Of the calls of one row.
struct WorkRoofline {
  std::optional<perf_model::Roofline> first;  ///< of the first call; absent without a platform or a model
  /// Roofline over GPU time, in percent: of calls that have both times.
  RealStatistics percent{};
  RooflineTotals totals{};
  friend bool operator==(const WorkRoofline&, const WorkRoofline&) = default;
};

class CallRooflines {
 public:
  /// All must outlive this. The platform is the one that the input's options name; without it no call has a roofline.
  CallRooflines(const TableInput& input, const OperatorWork& work, const CallEstimates& estimates);

  /// By place of the call; nullptr without a platform or a model. Valid as long as this.
  [[nodiscard]] const perf_model::Roofline* of(std::uint32_t place);
  [[nodiscard]] WorkRoofline of_row(std::span<const std::uint32_t> places);

 private:
  const OperatorWork* work_;
  const CallEstimates* estimates_;
  const perf_model::Platform* platform_;  // nullptr: none
  CallProducts products_;
  std::deque<perf_model::Roofline> rooflines_;
  std::vector<std::uint32_t> numbers_;  // of rooflines_, by 2 x number of the estimate + whether products are tf32
  std::vector<double> percents_;
};
}  // namespace kinetoscope::analysis
