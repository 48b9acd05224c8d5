#include "core/io/json_escapes.hpp"

#include <charconv>
#include <cstdint>

#include "core/base/unicode.hpp"

namespace kinetoscope::io {
namespace {

/// Four hexadecimal digits at `at`.
std::optional<std::uint32_t> hex4(std::string_view raw, std::size_t at) {
  if (at + 4 > raw.size()) return {};
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(raw.data() + at, raw.data() + at + 4, value, 16);
  if (error != std::errc() || end != raw.data() + at + 4) return {};
  return value;
}

/// The character of `\uXXXX` whose digits begin at `at`, which moves past it and past the second half of a pair.
std::optional<char32_t> unicode_escape(std::string_view raw, std::size_t& at) {
  const std::optional<std::uint32_t> first = hex4(raw, at);
  if (!first) return {};
  at += 4;
  const bool is_high = *first >= 0xd800 && *first <= 0xdbff;
  if (!is_high) return *first;  // a lone low half becomes U+FFFD where it is written
  if (raw.substr(at, 2) != "\\u") return replacement_character;
  const std::optional<std::uint32_t> second = hex4(raw, at + 2);
  if (!second) return {};
  if (*second < 0xdc00 || *second > 0xdfff) return replacement_character;
  at += 6;
  return 0x10000 + ((*first - 0xd800) << 10) + (*second - 0xdc00);
}
}  // namespace

std::optional<std::string> unescape(std::string_view raw) {
  static constexpr std::string_view letters = "\"\\/bfnrt";
  static constexpr std::string_view characters = "\"\\/\b\f\n\r\t";
  std::string out;
  out.reserve(raw.size());
  for (std::size_t at = 0; at < raw.size();) {
    if (raw[at] != '\\') {
      out += raw[at++];
      continue;
    }
    if (++at == raw.size()) return {};
    const char letter = raw[at++];
    if (letter == 'u') {
      const std::optional<char32_t> character = unicode_escape(raw, at);
      if (!character) return {};
      append_utf8(out, *character);
    } else if (const std::size_t which = letters.find(letter); which != std::string_view::npos) {
      out += characters[which];
    } else {
      return {};
    }
  }
  return out;
}
}  // namespace kinetoscope::io
