#pragma once

// The order of rows and groups: by a number that may be unknown or by a field, then by what tells them apart.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/wide_sum.hpp"

namespace kinetoscope::analysis {

/// What a row or group is sorted by: whole numbers exactly, rates as such. Unknown stands last either way.
struct SortNumber {
  bool is_known = false;
  WideSum whole = 0;
  double rate = 0;
};
[[nodiscard]] inline SortNumber sort_number(const std::optional<WideSum>& value) {
  return {value.has_value(), value.value_or(0), 0};
}
[[nodiscard]] inline SortNumber sort_number(const std::optional<std::int64_t>& value) {
  return {value.has_value(), value.value_or(0), 0};
}
[[nodiscard]] inline SortNumber sort_number(const std::optional<double>& value) {
  return {value.has_value(), 0, value.value_or(0)};
}
/// Negative: `one` is first; positive: `other` is.
[[nodiscard]] inline int compare_numbers(const SortNumber& one, const SortNumber& other, bool is_descending) {
  if (one.is_known != other.is_known) return one.is_known ? -1 : 1;
  const int smaller = is_descending ? 1 : -1;
  if (one.whole != other.whole) return one.whole < other.whole ? smaller : -smaller;
  if (one.rate != other.rate) return one.rate < other.rate ? smaller : -smaller;
  return 0;
}

/// The places `first` to `first` + `limit` of 0 to `size` - 1 in the order of `is_before`, which is total.
template <typename IsBefore>
[[nodiscard]] std::vector<std::uint32_t> ranked_places(std::size_t size, std::size_t first, std::size_t limit,
                                                       IsBefore is_before) {
  const std::size_t begin = std::min(first, size);
  const std::size_t end = begin + std::min(limit, size - begin);
  std::vector<std::uint32_t> places(size);
  for (std::size_t i = 0; i < size; ++i) places[i] = static_cast<std::uint32_t>(i);
  const auto at = [&](std::size_t place) { return places.begin() + static_cast<std::ptrdiff_t>(place); };
  std::partial_sort(places.begin(), at(end), places.end(), is_before);
  return {at(begin), at(end)};
}
}  // namespace kinetoscope::analysis
