#include "core/trace/importers/json_token.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace kinetoscope::importers {
namespace {
/// As C, C++, Python and JavaScript print them; a sign may stand before.
constexpr std::array<std::string_view, 8> nonfinite_words = {"inf", "nan", "NaN", "Infinity",
                                                             "Inf", "INF", "NAN", "infinity"};
}  // namespace

TokenKind kind_of_word(std::string_view word) noexcept {
  if (word == "null") return TokenKind::null;
  if (word == "true") return TokenKind::yes;
  if (word == "false") return TokenKind::no;
  const bool has_sign = !word.empty() && word.front() == '-';
  if (has_sign && word.size() > 1 && is_digit(word[1])) return kind_of_number(word.substr(1));
  const std::string_view bare = has_sign ? word.substr(1) : word;
  return std::ranges::find(nonfinite_words, bare) == nonfinite_words.end() ? TokenKind::invalid : TokenKind::nonfinite;
}

std::optional<std::uint64_t> parse_whole_real(std::string_view text) noexcept {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  constexpr double exactly_held = 9007199254740992.0;  // 2^53
  if (value != std::floor(value) || std::abs(value) > exactly_held) return {};
  return std::bit_cast<std::uint64_t>(static_cast<std::int64_t>(value));
}

std::optional<Integer> parse_integer_in_text(std::string_view text) noexcept {
  if (text.starts_with("0x") || text.starts_with("0X")) {
    Integer out;
    const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), out.bits, 16);
    if (error != std::errc() || end != text.data() + text.size()) return {};
    out.is_wide = out.bits > static_cast<std::uint64_t>(INT64_MAX);
    return out;
  }
  return parse_integer(text);
}
}  // namespace kinetoscope::importers
