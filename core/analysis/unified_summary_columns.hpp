#pragma once

// Columns of unified_perf_summary.

#include <span>

#include "core/analysis/column.hpp"
#include "core/analysis/unified_summary.hpp"

namespace kinetoscope::analysis {

[[nodiscard]] std::span<const Column<WorkRow>> unified_summary_columns();
}  // namespace kinetoscope::analysis
