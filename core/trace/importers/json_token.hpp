#pragma once

// JSON scalars as tokens: what kind one is, and its number. A token is a value's text as it stands in the file.

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace kinetoscope::importers {

enum class TokenKind : std::uint8_t { text, number, object, list, yes, no, null, nonfinite, invalid };

/// Without white space at the end.
[[nodiscard]] inline std::string_view trimmed(std::string_view token) noexcept {
  while (!token.empty() && static_cast<unsigned char>(token.back()) <= ' ') token.remove_suffix(1);
  return token;
}

/// Of a trimmed token; looks at the first character, and at the rest of a bare word only.
[[nodiscard]] inline TokenKind kind_of_token(std::string_view token) noexcept {
  if (token.empty()) return TokenKind::invalid;
  switch (token.front()) {
    case '"':
      return token.size() >= 2 && token.back() == '"' ? TokenKind::text : TokenKind::invalid;
    case '{':
      return TokenKind::object;
    case '[':
      return TokenKind::list;
    case 't':
      return token == "true" ? TokenKind::yes : TokenKind::invalid;
    case 'f':
      return token == "false" ? TokenKind::no : TokenKind::invalid;
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9':
      return TokenKind::number;
    default:
      break;
  }
  if (token == "null") return TokenKind::null;
  if (token.front() == '-' && token.size() > 1 && token[1] >= '0' && token[1] <= '9') return TokenKind::number;
  const std::string_view word = token.front() == '-' ? token.substr(1) : token;
  for (const std::string_view nonfinite : {"inf", "nan", "NaN", "Infinity", "Inf", "INF", "NAN", "infinity"}) {
    if (word == nonfinite) return TokenKind::nonfinite;
  }
  return TokenKind::invalid;
}

/// What stands between a text token's quotes.
[[nodiscard]] inline std::string_view inside_quotes(std::string_view token) noexcept {
  return token.substr(1, token.size() - 2);
}

struct Integer {
  std::uint64_t bits = 0;  ///< two's complement for negative numbers
  bool is_negative = false;
  bool is_wide = false;  ///< above the largest signed number
};
/// A whole number that 64 bits hold, signed or unsigned; nothing for fractions, exponents and larger numbers.
[[nodiscard]] inline std::optional<Integer> parse_integer(std::string_view text) noexcept {
  if (text.empty()) return {};
  Integer out;
  out.is_negative = text.front() == '-';
  const char* const begin = text.data() + (out.is_negative ? 1 : 0);
  const char* const end = text.data() + text.size();
  if (begin == end) return {};
  if (end - begin <= 18) {  // cannot overflow
    for (const char* at = begin; at != end; ++at) {
      const unsigned digit = static_cast<unsigned char>(*at) - unsigned{'0'};
      if (digit > 9) return {};
      out.bits = out.bits * 10 + digit;
    }
  } else {
    const auto [stop, error] = std::from_chars(begin, end, out.bits);
    if (error != std::errc() || stop != end) return {};
  }
  out.is_wide = out.bits > static_cast<std::uint64_t>(INT64_MAX);
  if (out.is_negative) {
    if (out.bits > std::uint64_t{1} << 63) return {};
    out.is_wide = false;
    out.bits = ~out.bits + 1;
  }
  return out;
}
}  // namespace kinetoscope::importers
