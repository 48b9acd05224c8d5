#pragma once

// Sorting by a 64-bit key in time linear in the number of elements: events by their start.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/base/huge_array.hpp"

namespace kinetoscope {

/// Sorts [begin, end); stable, rising by `key_of(element)`, a std::uint64_t. `scratch` is resized as needed. Passes
/// over digits that all keys share are left out, and elements already in order are left as they are: O(n) times the
/// bytes in which keys differ.
template <typename T, typename KeyOf>
void radix_sort(T* begin, T* end, HugeArray<T>& scratch, KeyOf key_of) {
  constexpr unsigned digit_bits = 8;
  constexpr std::size_t digits = std::size_t{1} << digit_bits;
  const auto size = static_cast<std::size_t>(end - begin);
  bool is_sorted = true;
  std::uint64_t ones = 0;
  std::uint64_t zeros = 0;
  std::uint64_t before = 0;
  for (const T* element = begin; element != end; ++element) {
    const std::uint64_t key = key_of(*element);
    is_sorted = is_sorted && before <= key;
    before = key;
    ones |= key;
    zeros |= ~key;
  }
  if (is_sorted) return;
  scratch.resize_for_overwrite(size);
  T* from = begin;
  T* to = scratch.begin();
  for (unsigned shift = 0; shift < 64; shift += digit_bits) {
    if ((((ones & zeros) >> shift) & (digits - 1)) == 0) continue;
    std::array<std::size_t, digits> next{};
    for (std::size_t i = 0; i < size; ++i) ++next[(key_of(from[i]) >> shift) & (digits - 1)];
    std::size_t smaller = 0;
    for (std::size_t& count : next) smaller += std::exchange(count, smaller);
    for (std::size_t i = 0; i < size; ++i) to[next[(key_of(from[i]) >> shift) & (digits - 1)]++] = from[i];
    std::swap(from, to);
  }
  if (from != begin) std::copy(from, from + size, begin);
}
}  // namespace kinetoscope
