#pragma once

// Columns of the category sheets: the row's name, one column for each parameter that some row of the sheet has, then
// the same for all families.

#include <span>
#include <string>
#include <string_view>

#include "core/analysis/category_sheets.hpp"
#include "core/analysis/column.hpp"

namespace kinetoscope::analysis {

/// The first is the name; parameters stand behind it.
[[nodiscard]] std::span<const Column<WorkRow>> category_sheet_columns();

/// Of a parameter's column: "param: " and its name.
inline constexpr std::string_view parameter_heading_prefix = "param: ";
inline constexpr std::string_view parameter_meaning =
    "What the model read from the calls' arguments, as Python prints it; one column for each parameter that some row "
    "has. None where the operator leaves it open, missing where the row's model has no such parameter.";
[[nodiscard]] std::string parameter_heading(std::string_view parameter);
/// Missing where the row's model has no such parameter.
[[nodiscard]] Cell parameter_cell(const WorkRow& row, std::string_view parameter);
}  // namespace kinetoscope::analysis
