#pragma once

// The category sheets as sheets: a family's columns depend on the parameters of its models, so that a sheet has those
// that some row of it has. Families without an operator in the trace have no sheet and are not listed: there are some
// forty, and few in any one trace.

#include <string>
#include <vector>

#include "core/analysis/category_sheets.hpp"
#include "core/report/sheet.hpp"
#include "core/report/table_files.hpp"

namespace kinetoscope::report {

inline constexpr std::string_view category_sheet_caption =
    "Every call of the family's operators that a model knows, by name and what the model read from its arguments, "
    "longest "
    "kernel time first; calls inside one another stand in their sheets each, counted and counted_time_us say what "
    "counts.";

/// Refers to `sheets`, which must outlive the result.
[[nodiscard]] std::vector<Sheet> sheets_by_category(const analysis::CategorySheets& sheets,
                                                    const analysis::TableOptions& options);

/// How files of an earlier run are known.
[[nodiscard]] std::vector<KnownSheet> known_category_sheets();
}  // namespace kinetoscope::report
