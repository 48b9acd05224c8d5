#include "core/report/figures/figure_text.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/base/characters.hpp"
#include "core/base/format.hpp"
#include "core/base/unicode.hpp"

namespace kinetoscope::report {
namespace {

constexpr std::string_view ellipsis = "…";
constexpr double ellipsis_em = 1;

/// Advance of a character in em. ASCII by classes of DejaVu Sans, each rounded up; other scripts by terminal columns.
double figure_character_em(std::string_view character) noexcept {
  if (character.size() > 1) return character == ellipsis ? ellipsis_em : 0.8 * double(display_width(character));
  const char c = character.front();
  if (is_digit(c)) return 0.64;
  if (std::string_view("ijl|I.,;:'!").find(c) != std::string_view::npos) return 0.4;
  if (std::string_view(" frt()[]-/\\\"`*").find(c) != std::string_view::npos) return 0.52;
  if (std::string_view("mw@%MWGOQ<>+=~_#&").find(c) != std::string_view::npos) return c == 'W' ? 1 : 0.98;
  return is_upper(c) ? 0.78 : 0.66;
}

/// The bytes of the character at `position`.
std::string_view figure_character_at(std::string_view text, std::size_t position) noexcept {
  const std::size_t begin = position;
  static_cast<void>(next_character(text, position));
  return text.substr(begin, position - begin);
}

/// How many bytes from the beginning fit, whole characters only.
std::size_t figure_bytes_that_fit(std::string_view text, double size, double width) noexcept {
  double used = 0;
  for (std::size_t position = 0; position < text.size();) {
    const std::string_view character = figure_character_at(text, position);
    used += figure_character_em(character) * size;
    if (used > width) return position;
    position += character.size();
  }
  return text.size();
}

/// Where a line that may take `fits` bytes ends: at its last space, where that does not leave most of it empty, else
/// where it is full; one character at least.
std::size_t figure_line_end(std::string_view rest, std::size_t fits) noexcept {
  if (rest[fits] == ' ') return fits;
  const std::size_t space = rest.substr(0, fits).rfind(' ');
  if (space != std::string_view::npos && space > fits / 2) return space;
  return fits > 0 ? fits : figure_character_at(rest, 0).size();
}
}  // namespace

std::string shown_text(std::string_view foreign, std::size_t most_characters) {
  std::string text = printable(foreign, most_characters);
  std::size_t position = 0;
  for (std::size_t characters = 0; position < text.size(); ++characters) {
    if (characters == most_characters) return text.substr(0, position) + std::string(ellipsis);
    position += figure_character_at(text, position).size();
  }
  return text;
}

double text_width(std::string_view printable_text, double size) noexcept {
  double em = 0;
  for (std::size_t position = 0; position < printable_text.size();) {
    const std::string_view character = figure_character_at(printable_text, position);
    em += figure_character_em(character);
    position += character.size();
  }
  return em * size;
}

std::string cut_to_width(std::string_view printable_text, double size, double width) {
  if (figure_bytes_that_fit(printable_text, size, width) == printable_text.size()) return std::string(printable_text);
  const std::size_t fits = figure_bytes_that_fit(printable_text, size, width - ellipsis_em * size);
  return std::string(printable_text.substr(0, fits)) + std::string(ellipsis);
}

std::vector<std::string> wrapped(std::string_view printable_text, double size, double width, std::size_t most_lines) {
  std::vector<std::string> lines;
  std::string_view rest = printable_text;
  while (!rest.empty() && lines.size() < most_lines) {
    const std::size_t fits = figure_bytes_that_fit(rest, size, width);
    if (fits == rest.size() || lines.size() + 1 == most_lines) {
      lines.push_back(cut_to_width(rest, size, width));
      break;
    }
    const std::size_t end = figure_line_end(rest, fits);
    lines.emplace_back(rest.substr(0, end));
    rest.remove_prefix(end);
    while (rest.starts_with(' ')) rest.remove_prefix(1);
  }
  return lines;
}

std::string figure_number(double value, int digits) { return fmt::format("{:.{}g}", value, digits); }

std::string figure_share(double share) {
  if (share > 0 && share < 0.0005) return "< 0.1 %";
  constexpr double greatest = std::numeric_limits<double>::max();
  if (std::abs(share) >= 1e4) return fmt::format("{:.2g} %", std::clamp(share * 100, -greatest, greatest));
  return share_text(share);
}
}  // namespace kinetoscope::report
