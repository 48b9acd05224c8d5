#include "core/report/text_table.hpp"

#include <algorithm>

#include "core/base/format.hpp"

namespace kinetoscope::report {
namespace {

constexpr std::string_view gap = "  ";

std::string_view escape_of(Colour colour) {
  switch (colour) {
    case Colour::plain: return "";
    case Colour::strong: return "\x1b[1m";
    case Colour::good: return "\x1b[32m";
    case Colour::doubtful: return "\x1b[33m";
    case Colour::bad: return "\x1b[31m";
    case Colour::faint: return "\x1b[2m";
  }
  return "";
}
}  // namespace

std::string painted(std::string_view text, Colour colour, bool is_coloured) {
  if (!is_coloured || colour == Colour::plain || text.empty()) return std::string(text);
  return std::string(escape_of(colour)) + std::string(text) + "\x1b[0m";
}

std::string TextTable::render() const {
  std::vector<std::size_t> widths;
  for (const std::vector<Cell>& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], display_width(row[i].text));
  }
  std::string out;
  for (const std::vector<Cell>& row : rows_) {
    std::size_t cells = row.size();
    while (cells > 0 && row[cells - 1].text.empty()) --cells;
    for (std::size_t i = 0; i < cells; ++i) {
      const Cell& cell = row[i];
      const std::string padding(widths[i] - display_width(cell.text), ' ');
      out += gap;
      if (cell.is_right) out += padding;
      out += painted(cell.text, cell.colour, is_coloured_);
      if (!cell.is_right && i + 1 < cells) out += padding;
    }
    out += '\n';
  }
  return out;
}
}  // namespace kinetoscope::report
