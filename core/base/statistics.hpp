#pragma once

// Mean, median, deviations and bounds of whole nanoseconds, and of rates. Sums of nanoseconds are exact; what is no
// whole number becomes floating point once, at the end.

#include <cstdint>
#include <span>

#include "core/base/known.hpp"
#include "core/base/wide_sum.hpp"

namespace kinetoscope {

/// Of at least one value, in the unit of the values.
struct Statistics {
  std::uint64_t count = 0;
  WideSum sum = 0;
  std::int64_t min = 0;
  std::int64_t max = 0;
  double mean = 0;
  double median = 0;                                        ///< the middle value, or the mean of the two middle ones
  double population_deviation = 0;                          ///< divided by n
  Known<double> sample_deviation = Reason::not_applicable;  ///< divided by n - 1; unknown of one value
  friend bool operator==(const Statistics&, const Statistics&) = default;
};

/// Reorders `values`. Of none: count 0. O(n) on average.
[[nodiscard]] Statistics statistics_of(std::span<std::int64_t> values);

/// Of at least one finite value.
struct RealStatistics {
  std::uint64_t count = 0;
  double mean = 0;
  double median = 0;
  double min = 0;
  double max = 0;
  Known<double> sample_deviation = Reason::not_applicable;  ///< unknown of one value
  friend bool operator==(const RealStatistics&, const RealStatistics&) = default;
};

/// Reorders `values`. Of none: count 0. O(n) on average.
[[nodiscard]] RealStatistics statistics_of(std::span<double> values);
}  // namespace kinetoscope
