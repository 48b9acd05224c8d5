#pragma once

// Rows of modelled work: calls that a sheet puts together, with what models say of them and how long their GPU work
// ran. Makes one row after the other, in the same memory. Texts are valid as long as the trace and the texts given.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/known.hpp"
#include "core/base/statistics.hpp"
#include "core/base/text_index.hpp"
#include "core/tree/recompute.hpp"
#include "core/analysis/call_rooflines.hpp"
#include "core/analysis/call_stacks.hpp"
#include "core/analysis/kernel_details.hpp"
#include "core/analysis/launcher_keys.hpp"
#include "core/analysis/operator_work.hpp"
#include "core/analysis/work_rates.hpp"

namespace kinetoscope::analysis {

struct WorkRow {
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
  WorkRoofline roofline;
  std::vector<KernelDetail> kernels_run;
  std::optional<double> recorded_flops;      ///< what Inductor wrote beside the first call
  std::optional<double> recorded_gigabytes;  ///< the same
  std::uint64_t counted = 0;                 ///< calls whose time counts; only of sheets where some do not
  std::int64_t counted_ns = 0;               ///< each instant of GPU time counted for one event
  Known<double> percentage = Reason::not_applicable;
  Known<double> cumulative_percentage = Reason::not_applicable;
};

class WorkRowMaker {
 public:
  /// All must outlive this and the rows.
  WorkRowMaker(const TableInput& input, const OperatorWork& work, const CallEstimates& estimates, TextIndex& texts);

  /// One for each call, with the category that its work has.
  [[nodiscard]] HugeArray<LauncherKey> keys();
  /// Of calls of one row. The percentages are left to the sheet.
  [[nodiscard]] WorkRow row_of(const LauncherKey& key, std::span<const std::uint32_t> places);

 private:
  void rename(std::size_t place, LauncherKey& key);
  [[nodiscard]] std::optional<std::string_view> argument(const LauncherKey& key, KeyPart part) const;
  [[nodiscard]] const perf_model::Estimate* estimate_of(std::uint32_t place) const;
  [[nodiscard]] Statistics host_statistics(std::span<const std::uint32_t> places);

  const TableInput* input_;
  const OperatorWork* work_;
  const CallEstimates* estimates_;
  TextIndex* texts_;
  std::optional<CallStacks> stacks_;
  std::optional<RecomputeMarks> recompute_;
  KernelDetailList details_;
  CallRooflines rooflines_;
  std::vector<std::int64_t> times_ns_;
  std::vector<RatedCall> calls_;
  std::string name_;
};
}  // namespace kinetoscope::analysis
