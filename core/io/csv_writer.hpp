#pragma once

// Rows of cells as CSV that Python's csv module and pandas read back: UTF-8, comma, a newline after each row, quotes
// only where a field needs them and doubled inside. Missing is an empty field, truth is True or False, a double is the
// shortest text that reads back as the same one.

#include <span>
#include <string>
#include <string_view>

#include "core/base/cell.hpp"

namespace kinetoscope::io {

/// One field. Ill-formed UTF-8 becomes U+FFFD. O(length).
void append_csv_field(std::string& out, std::string_view text);
/// One row and its newline. A row of one empty field is written as "", which is no blank line. O(length).
void append_csv_row(std::string& out, std::span<const Cell> cells);
void append_csv_row(std::string& out, std::span<const std::string_view> headings);
}  // namespace kinetoscope::io
