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

/// Whether `text` ends so, ASCII letters of either case being the same; `lower_case` has none of upper case.
[[nodiscard]] inline bool ends_with_ignoring_case(std::string_view text, std::string_view lower_case) noexcept {
  if (text.size() < lower_case.size()) return false;
  text.remove_prefix(text.size() - lower_case.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const bool is_upper_case = c >= 'A' && c <= 'Z';
    if ((is_upper_case ? static_cast<char>(c + ('a' - 'A')) : c) != lower_case[at]) return false;
  }
  return true;
}
}  // namespace kinetoscope
