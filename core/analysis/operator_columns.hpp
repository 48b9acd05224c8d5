#pragma once

// The columns of the operator sheets, in order. Headings are those that TraceLens users know; columns of ours stand
// last.

#include <span>

#include "core/analysis/operator_tables.hpp"

namespace kinetoscope::analysis {

[[nodiscard]] std::span<const Column<CategoryRow>> category_columns();
[[nodiscard]] std::span<const Column<OperatorRow>> operator_columns();
[[nodiscard]] std::span<const Column<UniqueArgumentsRow>> unique_arguments_columns();
/// Of OperatorTables::with_overlap.
[[nodiscard]] std::span<const Column<UniqueArgumentsRow>> overlap_columns();
}  // namespace kinetoscope::analysis
