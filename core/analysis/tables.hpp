#pragma once

// All tables of one trace under one set of options, from one population: what the command `tables` writes and the other
// commands and tools ask. What was not asked for, or cannot be made of the trace, is absent.
//
// Cost: O(n log n) for n events; small beside the trace. Texts in rows are valid as long as trace and tree.

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "core/base/diagnostics.hpp"
#include "core/tree/steps.hpp"
#include "core/analysis/category_sheets.hpp"
#include "core/analysis/collective_summary.hpp"
#include "core/analysis/kernel_summary.hpp"
#include "core/analysis/operator_tables.hpp"
#include "core/analysis/overview.hpp"
#include "core/analysis/short_kernels.hpp"
#include "core/analysis/timeline_rows.hpp"
#include "core/analysis/unified_summary.hpp"

namespace kinetoscope::analysis {

/// What models say of the work of operators. Rows point into the estimates.
struct ModelledTables {
  CallEstimates estimates;
  UnifiedSummary unified;
  CategorySheets by_category;
};

struct Tables {
  TableOptions options;               ///< with the platform that was settled on in place of the choice
  HeldAgainst held_against;           ///< what rooflines are of
  std::uint64_t steps = 0;            ///< of the trace, in scope or not
  std::uint64_t events_in_scope = 0;  ///< GPU work, linked or not
  std::uint64_t events = 0;           ///< of it, what the tables are over
  bool is_gpu_only = false;           ///< no operator was recorded: kernel sheets name none, operator sheets are absent
  bool has_launches = false;          ///< without any launch in the trace there is one population: all GPU work
  Unlinked unlinked;                  ///< of the work in scope
  TimelineTables timeline;
  std::optional<OperatorTables> operators;
  std::optional<ModelledTables> modelled;
  std::optional<std::vector<KernelSummaryRow>> kernels;
  std::optional<ShortKernels> short_kernels;
  std::optional<std::vector<CollectiveRow>> collectives;
  Diagnostics diagnostics;  ///< of the scope: what it asks for beyond what there is
};

/// `in_scope`: GPU work in file order. `tree` has pseudo-operators where the options ask for them; `steps` are its own.
/// Throws Error interrupted soon after `stop` was asked for.
[[nodiscard]] Tables make_tables(const CallTree& tree, const GpuBuckets& buckets, std::span<const EventId> in_scope,
                                 std::span<const Step> steps, const TableOptions& options,
                                 const std::stop_token& stop = {});
}  // namespace kinetoscope::analysis
