#pragma once

// JSON scalars as tokens: what kind one is, and its number. A token is a value's text as it stands in the file.

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/characters.hpp"

namespace kinetoscope::importers {

enum class TokenKind : std::uint8_t { text, number, object, list, yes, no, null, nonfinite, invalid };

/// A value's text, without white space at the end, and its kind. Lists and objects are whole.
struct Token {
  std::string_view text{};
  TokenKind kind = TokenKind::invalid;
};

/// Without white space at the end.
[[nodiscard]] inline std::string_view trimmed(std::string_view token) noexcept {
  while (!token.empty() && static_cast<unsigned char>(token.back()) <= ' ') token.remove_suffix(1);
  return token;
}

/// Of what begins with a digit: invalid where JSON plainly does not know it, as 007, 5. or 5us. A look at both ends
/// only: what hides between them is found where the number is read.
[[nodiscard]] constexpr TokenKind kind_of_number(std::string_view digits) noexcept {
  const bool has_leading_zero = digits.size() > 1 && digits[0] == '0' && is_digit(digits[1]);
  return is_digit(digits.back()) && !has_leading_zero ? TokenKind::number : TokenKind::invalid;
}

/// Of a bare word or a negative number: what is neither text, list, object nor begins with a digit.
[[nodiscard]] TokenKind kind_of_word(std::string_view word) noexcept;

/// A scalar's token; of a list or object only the kind is right. Inline: there are a dozen an event.
[[nodiscard]] inline Token scalar_token(std::string_view raw) noexcept {
  const std::string_view text = trimmed(raw);
  if (text.empty()) return {};
  const char first = text.front();
  if (first == '"') return {text, text.size() >= 2 && text.back() == '"' ? TokenKind::text : TokenKind::invalid};
  if (is_digit(first)) return {text, kind_of_number(text)};
  if (first == '[') return {text, TokenKind::list};
  if (first == '{') return {text, TokenKind::object};
  return {text, kind_of_word(text)};
}

/// What stands between a text token's quotes.
[[nodiscard]] inline std::string_view inside_quotes(std::string_view token) noexcept {
  return token.substr(1, token.size() - 2);
}

/// Up to 18 digits and nothing else, into `number`; false for all else. Inline: there are half a dozen an event.
[[nodiscard]] inline bool parse_plain_integer(std::string_view text, std::uint64_t& number) noexcept {
  if (text.empty() || text.size() > 18) return false;
  std::uint64_t value = 0;
  for (const char c : text) {
    const unsigned digit = static_cast<unsigned char>(c) - unsigned{'0'};
    if (digit > 9) return false;
    value = value * 10 + digit;
  }
  number = value;
  return true;
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

/// A double that is a whole number, written with a point or an exponent: 5.0, 1e3. As two's complement.
[[nodiscard]] std::optional<std::uint64_t> parse_whole_real(std::string_view text) noexcept;

/// A number written as text, or the hexadecimal form of a handle.
[[nodiscard]] std::optional<Integer> parse_integer_in_text(std::string_view text) noexcept;
}  // namespace kinetoscope::importers
