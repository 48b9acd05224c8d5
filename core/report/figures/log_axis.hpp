#pragma once

// An axis on which each decade is as long as the other: where a value stands, and where its grid lines are.
//
//   position = from + (to - from) * (log10(value) - low) / (high - low)
//
// Values are above 0 and finite; an axis takes any of them, 10^-324 to 10^308. Cost: a logarithm a value.

#include <string>
#include <vector>

namespace kinetoscope::report {

class LogAxis {
 public:
  /// From the position `from`, where the least value's room begins, to `to`. There is some room beyond the least and
  /// the greatest value, and at least two decades in all. `values` must not be empty.
  LogAxis(const std::vector<double>& values, double from, double to);

  [[nodiscard]] double at(double value) const;
  [[nodiscard]] double at_log10(double exponent) const noexcept {
    return from_ + (to_ - from_) * (exponent - low_) / (high_ - low_);
  }
  /// log10 of the values at the ends.
  [[nodiscard]] double low() const noexcept { return low_; }
  [[nodiscard]] double high() const noexcept { return high_; }
  /// Exponents of the powers of ten that get a line and a label, rising: all on the axis, or every other, fifth, ...
  /// so that there are at most twelve.
  [[nodiscard]] std::vector<int> decades() const;
  /// The values 2 to 9 times a power of ten that are on the axis, as log10; none where that would be too many lines.
  [[nodiscard]] std::vector<double> between_decades() const;

 private:
  double low_ = 0;
  double high_ = 0;
  double from_ = 0;
  double to_ = 0;
};

/// 10 to the power of `exponent`: "0.01", "1,000", "1e6".
[[nodiscard]] std::string decade_label(int exponent);
}  // namespace kinetoscope::report
