#pragma once

// unified_perf_summary: all linked GPU work but communication by operator and arguments, with what models say of it
// (perf_report 6). Each kernel stands in one row (operator_work.hpp). No row is left out because a model does not
// apply: its figures are missing then, and the row says why. Cost: O(n log n). Texts are valid as long as the trace and
// the result; moving is safe.

#include <cstdint>
#include <vector>

#include "core/base/text_index.hpp"
#include "core/analysis/work_rows.hpp"

namespace kinetoscope::analysis {

struct UnifiedSummary {
  std::vector<WorkRow> rows;            ///< by kernel time, falling, then by example
  std::uint64_t unowned_events = 0;     ///< computation and copies that nobody launched: in no row
  std::int64_t unowned_counted_ns = 0;  ///< what they add to the timeline
  TextIndex texts;                      ///< that rows point into
};

/// `work` and `estimates` must outlive the rows.
[[nodiscard]] UnifiedSummary unified_summary(const TableInput& input, const OperatorWork& work,
                                             const CallEstimates& estimates);
}  // namespace kinetoscope::analysis
