#include "core/trace/importers/json_token.hpp"

#include <algorithm>
#include <array>

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
  if (has_sign && word.size() > 1 && word[1] >= '0' && word[1] <= '9') return TokenKind::number;
  const std::string_view bare = has_sign ? word.substr(1) : word;
  return std::ranges::find(nonfinite_words, bare) == nonfinite_words.end() ? TokenKind::invalid : TokenKind::nonfinite;
}
}  // namespace kinetoscope::importers
