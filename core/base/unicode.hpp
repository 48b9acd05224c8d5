#pragma once

// UTF-8, one character at a time. Invalid bytes become U+FFFD as the Unicode standard recommends: one replacement for
// each maximal subpart of an ill-formed sequence.

#include <cstddef>
#include <string>
#include <string_view>

namespace kinetoscope {

inline constexpr char32_t replacement_character = 0xfffd;

/// The character at `position`, which moves past it; U+FFFD for an ill-formed sequence. `position` < `utf8.size()`.
[[nodiscard]] char32_t next_character(std::string_view utf8, std::size_t& position) noexcept;
/// Appends `character` as UTF-8; surrogates and values above U+10FFFF as U+FFFD.
void append_utf8(std::string& out, char32_t character);

struct ValidText {
  std::string text{};
  std::size_t replacements = 0;
};
/// `bytes` with each ill-formed sequence replaced by U+FFFD. O(n).
[[nodiscard]] ValidText valid_utf8(std::string_view bytes);
}  // namespace kinetoscope
