#include "core/report/redacted_sheet.hpp"

#include <utility>

namespace kinetoscope::report {

Sheet redacted(Sheet sheet, const Redactor& redactor) {
  if (!sheet.append_row) return sheet;
  sheet.append_row = [append = std::move(sheet.append_row), &redactor](std::size_t row,
                                                                       std::vector<kinetoscope::Cell>& cells) {
    const std::size_t first = cells.size();
    append(row, cells);
    for (std::size_t i = first; i < cells.size(); ++i) {
      if (auto* const text = std::get_if<std::string>(&cells[i])) *text = redactor.text(*text);
    }
  };
  return sheet;
}
}  // namespace kinetoscope::report
