#pragma once

// The columns of the sheet kernel_summary.

#include <span>

#include "core/analysis/column.hpp"
#include "core/analysis/kernel_summary.hpp"

namespace kinetoscope::analysis {

[[nodiscard]] std::span<const Column<KernelSummaryRow>> kernel_summary_columns();
/// Those of a trace without operators, which has no parents to name (TableInput::is_gpu_only).
[[nodiscard]] std::span<const Column<KernelSummaryRow>> kernel_summary_columns_without_operators();
}  // namespace kinetoscope::analysis
