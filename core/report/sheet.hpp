#pragma once

// A sheet: rows of any type seen as cells, one row at a time, so that no sheet stands in memory as cells. What the CSV
// folder, the workbook and the list of sheets in a result are made from. A sheet without rows says why it has none.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/cell.hpp"
#include "core/analysis/column.hpp"

namespace kinetoscope::report {

/// What a file of a sheet without rows is. The last is what readers of short_kernels_summary know.
enum class EmptySheet : std::uint8_t { left_out, header_only, blank_line };

struct SheetColumn {
  std::string heading;
  std::string unit;
  std::string meaning;
  friend bool operator==(const SheetColumn&, const SheetColumn&) = default;
};

struct Sheet {
  std::string name;     ///< of the file, without ".csv"
  std::string caption;  ///< what one row is
  std::vector<SheetColumn> columns;
  std::size_t rows = 0;
  /// Appends the cells of one row, as many as there are columns. Refers to rows that others own.
  std::function<void(std::size_t row, std::vector<kinetoscope::Cell>& cells)> append_row;
  EmptySheet when_empty = EmptySheet::left_out;
  std::string why_empty{};  ///< a clause; only of a sheet without rows

  [[nodiscard]] bool is_written() const noexcept { return rows > 0 || when_empty != EmptySheet::left_out; }
};

template <typename Row>
[[nodiscard]] SheetColumn sheet_column(const analysis::Column<Row>& column) {
  return {std::string(column.heading), std::string(column.unit), std::string(column.meaning)};
}

/// `rows` must outlive the sheet. O(columns).
template <typename Row>
[[nodiscard]] Sheet make_sheet(std::string name, std::string caption, std::span<const Row> rows,
                               std::vector<analysis::Column<Row>> columns) {
  Sheet sheet;
  sheet.name = std::move(name);
  sheet.caption = std::move(caption);
  sheet.rows = rows.size();
  sheet.columns.reserve(columns.size());
  for (const analysis::Column<Row>& column : columns) sheet.columns.push_back(sheet_column(column));
  sheet.append_row = [rows, columns = std::move(columns)](std::size_t row, std::vector<kinetoscope::Cell>& cells) {
    for (const analysis::Column<Row>& column : columns) cells.push_back(column.cell(rows[row]));
  };
  return sheet;
}
}  // namespace kinetoscope::report
