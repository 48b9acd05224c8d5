#pragma once

// What a user may ask of the tables: the flags of the command `tables` that change figures, rows or columns. A value;
// the defaults are the reference's.

#include <cstdint>
#include <optional>

#include "core/tree/scope.hpp"
#include "core/perf_model/compiled_kernels.hpp"
#include "core/perf_model/operator_set.hpp"
#include "core/analysis/platform_choice.hpp"

namespace kinetoscope::analysis {

struct TableOptions {
  Scope scope{};                          ///< which part of the trace the tables are over
  bool includes_unlinked = false;         ///< unlinked GPU work is in every sheet (decision 4)
  bool detects_recompute = false;         ///< rows of recomputed forward work stand apart; needs Python frames
  bool has_pseudo_operators = false;      ///< kernels without an operator of their own get one (trace_model 13)
  bool groups_by_parent_module = false;   ///< operator rows of different modules stand apart
  bool groups_by_kernel_count = false;    ///< operator rows of different numbers of kernels stand apart
  bool has_call_stack = false;            ///< where an operator was called from
  bool has_first_occurrence = false;      ///< when an operator first ran
  bool has_overlap = false;               ///< the sheet of what ran at the same time on other streams
  bool has_kernel_summary = false;        ///< the sheet kernel_summary
  bool has_short_kernels = false;         ///< the sheets of kernels shorter than short_kernel_ns
  bool has_collectives = true;            ///< the sheet coll_analysis, where the trace has communication
  std::int64_t short_kernel_ns = 10'000;  ///< a kernel is short below this
  std::uint32_t short_kernel_bins = 100;  ///< of the histogram; at least 1
  std::optional<std::uint64_t> top_short_kernels{};  ///< only the first so many rows of short_kernels_summary
  std::optional<std::int64_t> micro_idle_ns{};       ///< idle gaps below this are micro, the others macro
  PlatformChoice platform{};                         ///< that rooflines are of
  perf_model::OperatorSet operators{};               ///< that the program knows, and a user's
  perf_model::CompiledKernels compiled{};            ///< what generated source says where the trace has no arguments
  friend bool operator==(const TableOptions&, const TableOptions&) = default;
};
}  // namespace kinetoscope::analysis
