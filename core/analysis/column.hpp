#pragma once

// Columns as data: every row type has one list of them, which CSV, XLSX, JSON, docs/tables.md and the golden check
// read. Headings are those that TraceLens users know; units stand in them, or in `unit`.

#include <string_view>
#include <vector>

#include "core/base/cell.hpp"
#include "core/analysis/table_options.hpp"

namespace kinetoscope::analysis {

template <typename Row>
struct Column {
  std::string_view heading;
  std::string_view unit;     ///< "µs", "ms", "%", "events"; empty for names and truth values
  std::string_view meaning;  ///< population and formula, a sentence; says when a cell is missing
  Cell (*cell)(const Row&) = nullptr;
  /// With which options the column is there; nullptr: always.
  bool (*is_wanted)(const TableOptions&) = nullptr;
};

/// A condition that several lists have.
[[nodiscard]] inline bool detects_recompute(const TableOptions& options) { return options.detects_recompute; }

/// The columns of a list that the options want, in order.
template <typename Row, typename List>
[[nodiscard]] std::vector<Column<Row>> wanted_columns(const List& columns, const TableOptions& options) {
  std::vector<Column<Row>> wanted;
  for (const Column<Row>& column : columns) {
    if (column.is_wanted == nullptr || column.is_wanted(options)) wanted.push_back(column);
  }
  return wanted;
}
}  // namespace kinetoscope::analysis
