#pragma once

// The category sheets: every call of an operator that a model knows, in the sheet of its family, by name and what the
// model read from its arguments (perf_report 7). Calls inside one another stand in their sheets each; `counted` and
// counted_ns say what counts, so that each kernel counts once over all sheets (decision 5). Calls without GPU work are
// rows at the bottom. Backward work that belongs to a forward operator with a model is in the family's backward sheet,
// unless operators there know it themselves.
// Cost: O(n log n) for n calls and GPU events. Texts are valid as long as the trace and the sheets; moving is safe.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/text_index.hpp"
#include "core/analysis/work_rows.hpp"

namespace kinetoscope::analysis {

struct CategorySheet {
  std::string name;                          ///< "GEMM", "SDPA_fwd"
  std::vector<std::string_view> parameters;  ///< that some row has, in order of appearance
  std::vector<WorkRow> rows;                 ///< by kernel time, falling, then by example
};

struct CategorySheets {
  std::vector<CategorySheet> sheets;        ///< of families that have rows, in the order of their files
  std::uint64_t calls_without_details = 0;  ///< calls deep inside one another, whose kernels are not listed
  TextIndex texts;                          ///< that rows point into
};

/// What a family's sheets are called, with their backward sheets, in the order of the files.
[[nodiscard]] std::vector<std::string> category_sheet_names();

/// `counting` is the work whose calls count; all must outlive the rows.
[[nodiscard]] CategorySheets category_sheets(const TableInput& input, const OperatorWork& counting,
                                             CallEstimates& estimates);
}  // namespace kinetoscope::analysis
