#pragma once

// Sorting by a 64-bit key in time linear in the number of elements: events by their start.

#include <array>
#include <cstdint>
#include <utility>

#include "core/base/huge_array.hpp"

namespace kinetoscope {

/// Stable, rising by `key_of(element)`, a std::uint64_t. `scratch` is resized as needed. Passes over digits that all
/// keys share are left out, and elements already in order are left as they are: O(n) times the bytes in which keys
/// differ.
template <typename T, typename KeyOf>
void radix_sort(HugeArray<T>& elements, HugeArray<T>& scratch, KeyOf key_of) {
  constexpr unsigned digit_bits = 8;
  constexpr std::size_t digits = std::size_t{1} << digit_bits;
  bool is_sorted = true;
  std::uint64_t ones = 0;
  std::uint64_t zeros = 0;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const std::uint64_t key = key_of(elements[i]);
    is_sorted = is_sorted && (i == 0 || key_of(elements[i - 1]) <= key);
    ones |= key;
    zeros |= ~key;
  }
  if (is_sorted) return;
  scratch.resize(elements.size());
  for (unsigned shift = 0; shift < 64; shift += digit_bits) {
    if ((((ones & zeros) >> shift) & (digits - 1)) == 0) continue;
    std::array<std::size_t, digits> next{};
    for (const T& element : elements) ++next[(key_of(element) >> shift) & (digits - 1)];
    std::size_t before = 0;
    for (std::size_t& count : next) before += std::exchange(count, before);
    for (const T& element : elements) scratch[next[(key_of(element) >> shift) & (digits - 1)]++] = element;
    std::swap(elements, scratch);
  }
}
}  // namespace kinetoscope
