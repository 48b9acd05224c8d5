#pragma once

// The operator sheets: launchers of GPU work by category, by name, and by name and arguments (perf_report 4 and 5).
//
// In each sheet the rows' counted_ns add up to the same: what all launchers have of computation_time and
// exposed_memcpy_time of the same population's timeline, to the nanosecond; with unowned_counted_ns it is all of both.
// Direct times overlap where streams do, subtree times where operators stand inside one another.
// Cost: O(n log n) for n GPU events and launchers. Texts are valid as long as the trace and the tables; moving is safe.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/known.hpp"
#include "core/base/statistics.hpp"
#include "core/base/text_index.hpp"
#include "core/base/wide_sum.hpp"
#include "core/analysis/call_stacks.hpp"
#include "core/analysis/column.hpp"
#include "core/analysis/kernel_details.hpp"
#include "core/analysis/kernel_overlaps.hpp"

namespace kinetoscope::analysis {

/// What a row's launchers add up to.
struct LauncherTotals {
  std::uint64_t launchers = 0;
  WideSum direct_ns = 0;
  WideSum subtree_ns = 0;
  std::int64_t counted_ns = 0;
  Known<double> percentage = Reason::not_applicable;  ///< of the sheet's direct time; unknown where that is 0
  Known<double> cumulative_percentage = Reason::not_applicable;  ///< the same of this row and those above
  Known<double> percent_of_whole = Reason::not_applicable;       ///< counted_ns of the timeline's total_time
};

struct CategoryRow {
  std::string_view category;
  std::string_view parent_module;  ///< empty unless asked for
  bool is_recompute = false;
  NodeId first_launcher = no_node;
  std::string call_stack;  ///< of the first launcher; empty unless asked for, and where a limit was reached
  LauncherTotals totals;
};

struct OperatorRow {
  std::string_view name;
  std::string_view parent_module;
  bool is_recompute = false;
  std::vector<std::string_view> categories;  ///< sorted
  NodeId first_launcher = no_node;
  std::string call_stack;
  LauncherTotals totals;
};

struct UniqueArgumentsRow {
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
  std::uint64_t kernels = 0;  ///< of each launcher; 0 unless rows are grouped by it
  bool is_recompute = false;
  std::optional<std::int64_t> first_occurrence_ns;  ///< behind the sheet's first launcher
  Statistics direct;
  Statistics subtree;
  EventId example = no_event;  ///< the first launcher
  std::string call_stack;
  FullCallStack full_call_stack;
  std::vector<KernelDetail> kernels_run;
  OverlapSummary overlap;  ///< of the sheet with overlap only; without kernels where a limit was reached
  LauncherTotals totals;
};

/// By sheet, rows whose call stacks are missing: those above take all the room.
struct RowsWithoutStacks {
  std::uint64_t by_category = 0;
  std::uint64_t summary = 0;
  std::uint64_t unique_arguments = 0;
  std::uint64_t with_overlap = 0;
  friend bool operator==(const RowsWithoutStacks&, const RowsWithoutStacks&) = default;
};

/// Of the call stacks of one sheet.
inline constexpr std::size_t most_stack_bytes = std::size_t{64} << 20;

/// What was too much, and is therefore missing.
struct OperatorLimits {
  std::uint64_t overlaps_not_compared = 0;  ///< pairs beyond the limit: with_overlap is empty
  std::uint64_t rows_of_many_names = 0;     ///< of with_overlap: too many ran beside them to be named
  std::uint64_t rows_without_overlaps = 0;  ///< of with_overlap: the names above take all the room
  RowsWithoutStacks rows_without_stacks;
  friend bool operator==(const OperatorLimits&, const OperatorLimits&) = default;
};

struct OperatorTables {
  std::vector<CategoryRow> by_category;              ///< by direct time, falling, then by category
  std::vector<OperatorRow> summary;                  ///< by direct time, falling, then by name
  std::vector<UniqueArgumentsRow> unique_arguments;  ///< by direct time, falling, then by example
  std::vector<UniqueArgumentsRow> with_overlap;      ///< the same, by what ran beside it, too; empty unless asked for
  OperatorLimits limits;
  WideSum direct_ns = 0;                ///< of all launchers, durations of launchers added up
  std::int64_t counted_ns = 0;          ///< what the rows of each sheet add up to
  std::uint64_t unowned_events = 0;     ///< computation and copies that nobody launched: in no row
  std::int64_t unowned_counted_ns = 0;  ///< what they add to the timeline
  TextIndex texts;                      ///< that rows point into
};

/// `launchers` are those of the input; `total_ns` is the timeline's total_time.
[[nodiscard]] OperatorTables operator_tables(const TableInput& input, const Launchers& launchers,
                                             std::int64_t total_ns);
}  // namespace kinetoscope::analysis
