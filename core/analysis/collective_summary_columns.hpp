#pragma once

// The columns of the sheet coll_analysis.

#include <span>

#include "core/analysis/collective_summary.hpp"
#include "core/analysis/column.hpp"

namespace kinetoscope::analysis {

[[nodiscard]] std::span<const Column<CollectiveRow>> collective_summary_columns();
}  // namespace kinetoscope::analysis
