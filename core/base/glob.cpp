#include "core/base/glob.hpp"

namespace kinetoscope {
namespace {

/// Behind the character that begins at `position`.
std::size_t behind_character(std::string_view utf8, std::size_t position) noexcept {
  ++position;
  while (position < utf8.size() && (static_cast<unsigned char>(utf8[position]) & 0xc0U) == 0x80U) ++position;
  return position;
}
}  // namespace

bool matches_glob(std::string_view text, std::string_view pattern) noexcept {
  constexpr std::size_t none = std::string_view::npos;
  std::size_t at = 0;
  std::size_t in_pattern = 0;
  std::size_t behind_star = none;  // of the last star: only that one can still take more, earlier ones took the least
  std::size_t star_takes_to = 0;
  while (at < text.size()) {
    if (in_pattern < pattern.size() && pattern[in_pattern] == '*') {
      behind_star = ++in_pattern;
      star_takes_to = at;
    } else if (in_pattern < pattern.size() && pattern[in_pattern] == '?') {
      at = behind_character(text, at);
      ++in_pattern;
    } else if (in_pattern < pattern.size() && pattern[in_pattern] == text[at]) {
      ++at;
      ++in_pattern;
    } else if (behind_star != none) {
      star_takes_to = behind_character(text, star_takes_to);
      at = star_takes_to;
      in_pattern = behind_star;
    } else {
      return false;
    }
  }
  while (in_pattern < pattern.size() && pattern[in_pattern] == '*') ++in_pattern;
  return in_pattern == pattern.size();
}
}  // namespace kinetoscope
