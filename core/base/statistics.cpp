#include "core/base/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace kinetoscope {
namespace {

/// The middle value, or the mean of the two middle ones.
template <typename Number>
double median_of(std::span<Number> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 == 1) return static_cast<double>(*middle);
  const Number below = *std::max_element(values.begin(), middle);
  return (static_cast<double>(below) + static_cast<double>(*middle)) / 2;
}
}  // namespace

Statistics statistics_of(std::span<std::int64_t> values) {
  Statistics out;
  if (values.empty()) return out;
  out.count = values.size();
  const auto [least, largest] = std::ranges::minmax(values);
  out.min = least;
  out.max = largest;
  for (const std::int64_t value : values) out.sum += value;
  const auto count = static_cast<double>(values.size());
  out.mean = static_cast<double>(out.sum) / count;
  out.median = median_of<std::int64_t>(values);
  double squares = 0;
  for (const std::int64_t value : values) {
    const double distance = static_cast<double>(value) - out.mean;
    squares += distance * distance;
  }
  out.population_deviation = std::sqrt(squares / count);
  if (values.size() > 1) out.sample_deviation = std::sqrt(squares / (count - 1));
  return out;
}

RealStatistics statistics_of(std::span<double> values) {
  RealStatistics out;
  if (values.empty()) return out;
  out.count = values.size();
  const auto [least, largest] = std::ranges::minmax(values);
  out.min = least;
  out.max = largest;
  double sum = 0;
  for (const double value : values) sum += value;
  const auto count = static_cast<double>(values.size());
  out.mean = sum / count;
  out.median = median_of<double>(values);
  if (values.size() < 2) return out;
  double squares = 0;
  for (const double value : values) squares += (value - out.mean) * (value - out.mean);
  out.sample_deviation = std::sqrt(squares / (count - 1));
  return out;
}
}  // namespace kinetoscope
