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

bool is_high_half(std::uint32_t unit) { return unit >= 0xd800 && unit <= 0xdbff; }
bool is_low_half(std::uint32_t unit) { return unit >= 0xdc00 && unit <= 0xdfff; }

/// The character of `\uXXXX` whose digits begin at `at`, which moves past it and past the second half of a pair. A half
/// that stands alone comes back as it is.
std::optional<char32_t> unicode_escape(std::string_view raw, std::size_t& at) {
  const std::optional<std::uint32_t> first = hex4(raw, at);
  if (!first) return {};
  at += 4;
  if (!is_high_half(*first) || raw.substr(at, 2) != "\\u") return *first;
  const std::optional<std::uint32_t> second = hex4(raw, at + 2);
  if (!second) return {};
  if (!is_low_half(*second)) return *first;
  at += 6;
  return 0x10000 + ((*first - 0xd800) << 10) + (*second - 0xdc00);
}
}  // namespace

std::optional<Unescaped> unescape(std::string_view raw) {
  static constexpr std::string_view letters = "\"\\/bfnrt";
  static constexpr std::string_view characters = "\"\\/\b\f\n\r\t";
  Unescaped unescaped;
  std::string& out = unescaped.text;
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
      if (is_high_half(*character) || is_low_half(*character)) ++unescaped.replaced;
      append_utf8(out, *character);  // a half as U+FFFD
    } else if (const std::size_t which = letters.find(letter); which != std::string_view::npos) {
      out += characters[which];
    } else {
      return {};
    }
  }
  return unescaped;
}
}  // namespace kinetoscope::io
