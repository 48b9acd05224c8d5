#include "core/base/format.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/base/unicode.hpp"

namespace kinetoscope {
namespace {

void append_printable(std::string& out, char32_t character, bool quotes_too) {
  switch (character) {
    case U'\n': out += "\\n"; return;
    case U'\t': out += "\\t"; return;
    case U'\r': out += "\\r"; return;
    case U'\\': out += quotes_too ? "\\\\" : "\\"; return;
    case U'"': out += quotes_too ? "\\\"" : "\""; return;
    default: break;
  }
  // Also C1 controls and the bidirectional overrides, which could make a terminal show another text than the one there.
  const bool is_control = character < 0x20 || (character >= 0x7f && character < 0xa0) || character == 0xfffd ||
                          (character >= 0x200b && character <= 0x200f) ||
                          (character >= 0x2028 && character <= 0x202e) || (character >= 0x2060 && character <= 0x206f);
  if (is_control) {
    out += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(character));
  } else {
    append_utf8(out, character);
  }
}

std::string escaped(std::string_view foreign, std::size_t limit, bool quotes_too) {
  std::string out;
  std::size_t characters = 0;
  for (std::size_t position = 0; position < foreign.size(); ++characters) {
    if (characters == limit) return out + "…";
    append_printable(out, next_character(foreign, position), quotes_too);
  }
  return out;
}
}  // namespace

std::string printable(std::string_view foreign, std::size_t limit) { return escaped(foreign, limit, false); }

std::string in_quotes(std::string_view foreign, std::size_t limit) { return '"' + escaped(foreign, limit, true) + '"'; }

std::string with_separators(std::int64_t number) {
  std::string digits = fmt::format("{}", number);
  const std::size_t first_digit = number < 0 ? 1 : 0;
  for (std::size_t at = digits.size(); at > first_digit + 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string duration_text(WideSum duration_ns) {
  const double magnitude = std::abs(static_cast<double>(duration_ns));
  if (magnitude < 1e3) return fmt::format("{} ns", static_cast<std::int64_t>(duration_ns));
  if (magnitude < 1e6) return fmt::format("{:.3f} us", static_cast<double>(duration_ns) / 1e3);
  if (magnitude < 1e9) return fmt::format("{:.3f} ms", static_cast<double>(duration_ns) / 1e6);
  return fmt::format("{:.3f} s", static_cast<double>(duration_ns) / 1e9);
}

std::string bytes_text(std::uint64_t bytes) {
  if (bytes < 1000) return fmt::format("{} B", bytes);
  static constexpr std::array<std::string_view, 6> units = {"kB", "MB", "GB", "TB", "PB", "EB"};
  double scaled = static_cast<double>(bytes) / 1000;
  std::size_t unit = 0;
  while (scaled >= 999.95 && unit + 1 < units.size()) {
    scaled /= 1000;
    ++unit;
  }
  return fmt::format("{:.1f} {}", scaled, units[unit]);
}

std::string share_text(double share) { return fmt::format("{:.1f} %", share * 100); }

std::size_t display_width(std::string_view utf8) noexcept {
  std::size_t width = 0;
  for (std::size_t position = 0; position < utf8.size();) {
    const char32_t character = next_character(utf8, position);
    const bool is_combining = (character >= 0x300 && character <= 0x36f) || character == 0x200d;
    const bool is_wide = (character >= 0x1100 && character <= 0x115f) || (character >= 0x2e80 && character <= 0xa4cf) ||
                         (character >= 0xac00 && character <= 0xd7a3) || (character >= 0xf900 && character <= 0xfaff) ||
                         (character >= 0xfe30 && character <= 0xfe6f) || (character >= 0xff00 && character <= 0xff60) ||
                         (character >= 0x1f300 && character <= 0x1faff);
    width += is_combining ? 0 : is_wide ? 2 : 1;
  }
  return width;
}
}  // namespace kinetoscope
