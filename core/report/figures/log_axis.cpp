#include "core/report/figures/log_axis.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/base/format.hpp"

namespace kinetoscope::report {
namespace {

constexpr double least_decades = 2;
constexpr double room_beyond = 0.3;      // of a decade: half as far as 4 is from 1
constexpr double share_beyond = 0.04;    // of the axis, where that is more
constexpr double most_fine_decades = 6;  // 8 fine lines each
constexpr std::size_t most_decade_lines = 12;
}  // namespace

LogAxis::LogAxis(const std::vector<double>& values, double from, double to) : from_(from), to_(to) {
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  low_ = std::log10(*least);
  high_ = std::log10(*greatest);
  const double room = std::max(room_beyond, share_beyond * (high_ - low_));
  low_ -= room;
  high_ += room;
  const double missing = std::max(0.0, least_decades - (high_ - low_));
  low_ -= missing / 2;
  high_ += missing / 2;
}

double LogAxis::at(double value) const { return at_log10(std::log10(value)); }

std::vector<int> LogAxis::decades() const {
  constexpr std::array steps = {1, 2, 5, 10, 20, 50, 100};
  for (const int step : steps) {
    std::vector<int> out;
    const int first = static_cast<int>(std::ceil(low_ / step)) * step;
    for (int exponent = first; exponent <= high_ && out.size() <= most_decade_lines; exponent += step) {
      out.push_back(exponent);
    }
    if (out.size() <= most_decade_lines) return out;
  }
  return {};
}

std::vector<double> LogAxis::between_decades() const {
  std::vector<double> out;
  if (high_ - low_ > most_fine_decades) return out;
  for (int exponent = static_cast<int>(std::floor(low_)); exponent <= high_; ++exponent) {
    for (int digit = 2; digit <= 9; ++digit) {
      const double place = exponent + std::log10(digit);
      if (place >= low_ && place <= high_) out.push_back(place);
    }
  }
  return out;
}

std::string decade_label(int exponent) {
  if (exponent < -4 || exponent > 5) return fmt::format("1e{}", exponent);
  if (exponent < 0) return fmt::format("{:.{}f}", std::pow(10.0, exponent), -exponent);
  return with_separators(static_cast<std::int64_t>(std::llround(std::pow(10.0, exponent))));
}
}  // namespace kinetoscope::report
