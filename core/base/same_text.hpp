#pragma once

// Equality of short texts, inlined: a call of memcmp costs more than the comparison of a key of a dozen bytes.

#include <cstdint>
#include <cstring>
#include <string_view>

namespace kinetoscope {

[[nodiscard]] inline bool same_text(std::string_view left, std::string_view right) noexcept {
  if (left.size() != right.size()) return false;
  const auto differ = [&](auto word, std::size_t at) {
    auto other = word;
    std::memcpy(&word, left.data() + at, sizeof(word));
    std::memcpy(&other, right.data() + at, sizeof(word));
    return word != other;
  };
  const std::size_t size = left.size();
  if (size > 64) return std::memcmp(left.data(), right.data(), size) == 0;
  if (size >= 8) {  // the last word overlaps the one before
    for (std::size_t at = 0; at + 8 < size; at += 8) {
      if (differ(std::uint64_t{0}, at)) return false;
    }
    return !differ(std::uint64_t{0}, size - 8);
  }
  if (size >= 4) return !differ(std::uint32_t{0}, 0) && !differ(std::uint32_t{0}, size - 4);
  for (std::size_t at = 0; at < size; ++at) {
    if (left[at] != right[at]) return false;
  }
  return true;
}
}  // namespace kinetoscope
