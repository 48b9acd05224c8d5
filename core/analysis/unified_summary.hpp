#pragma once

// unified_perf_summary: all linked GPU work but communication by operator and arguments, with what models say of it
// (perf_report 6). Each kernel stands in one row (operator_work.hpp). No row is left out because a model does not
// apply: its figures are missing then, and the row says why. Cost: O(n log n). Texts are valid as long as the trace and
// the result; moving is safe.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/known.hpp"
#include "core/base/statistics.hpp"
#include "core/base/text_index.hpp"
#include "core/analysis/kernel_details.hpp"
#include "core/analysis/operator_work.hpp"
#include "core/analysis/work_rates.hpp"

namespace kinetoscope::analysis {

struct UnifiedRow {
  std::string_view name;
  std::string_view category;
  std::string_view parent_module;
  std::string_view process_name;
  std::string_view process_label;
  std::string_view thread_name;
  std::optional<std::string_view> input_dims;
  std::optional<std::string_view> input_types;
  std::optional<std::string_view> input_strides;
  std::optional<std::string_view> concrete_inputs;
  std::uint64_t kernels = 0;  ///< of each call; 0 unless rows are grouped by it
  bool is_recompute = false;
  std::uint64_t example = 0;  ///< Work::id of the first call
  WorkKind kind = WorkKind::plain;
  const perf_model::Estimate* estimate = nullptr;  ///< of the first call; nullptr without a model
  Statistics host;                                 ///< ns, of the calls' own durations
  Statistics kernel;                               ///< ns, of how long the calls' GPU work ran
  WorkRates rates;
  std::vector<KernelDetail> kernels_run;
  std::optional<double> recorded_flops;      ///< what Inductor wrote beside the first call
  std::optional<double> recorded_gigabytes;  ///< the same
  std::int64_t counted_ns = 0;               ///< each instant of GPU time counted for one event
  Known<double> percentage = Reason::not_applicable;
  Known<double> cumulative_percentage = Reason::not_applicable;
};

struct UnifiedSummary {
  std::vector<UnifiedRow> rows;         ///< by kernel time, falling, then by example
  std::uint64_t unowned_events = 0;     ///< computation and copies that nobody launched: in no row
  std::int64_t unowned_counted_ns = 0;  ///< what they add to the timeline
  TextIndex texts;                      ///< that rows point into
};

/// `work` and `estimates` must outlive the rows.
[[nodiscard]] UnifiedSummary unified_summary(const TableInput& input, const OperatorWork& work,
                                             const CallEstimates& estimates);
}  // namespace kinetoscope::analysis
