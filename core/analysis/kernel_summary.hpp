#pragma once

// The sheet kernel_summary: which kernels ran, for which operator, on which stream, and how long. Over every kernel in
// scope, copies and fills left out; those without a launch are rows of category "unlinked" (decision 4).
//
// Invariant, exact: the rows' sums add up to the durations of all kernels in scope, their counts to the number of those
// kernels. Grouped by ids, O(n + g log g) for n kernels in g rows.

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/known.hpp"
#include "core/base/wide_sum.hpp"
#include "core/analysis/table_input.hpp"

namespace kinetoscope::analysis {

/// The category of an operator, as the operator sheets print it; valid as long as the trace. Asked once for a run of
/// kernels of one operator.
using CategoryOfOperator = std::function<std::string_view(NodeId)>;

/// Texts are valid as long as the trace and whatever gave the categories.
struct KernelSummaryRow {
  std::optional<std::string_view> category;  ///< absent of kernels without a launch where no launch has a start
  std::optional<std::string_view> parent;    ///< an operator, or the launching call; absent for unlinked kernels
  std::string_view kernel_name;
  std::optional<std::int64_t> stream;
  std::uint64_t count = 0;                       ///< timed or not
  Known<WideSum> sum_ns = Reason::not_recorded;  ///< these four over kernels with usable times
  Known<double> mean_ns = Reason::not_recorded;
  Known<std::int64_t> min_ns = Reason::not_recorded;
  Known<std::int64_t> max_ns = Reason::not_recorded;
  Known<double> percent_of_kernels = Reason::not_applicable;
  Known<double> percent_of_total = Reason::not_applicable;
  friend bool operator==(const KernelSummaryRow&, const KernelSummaryRow&) = default;
};

/// Sorted by sum, longest first, rows without one last, then by the keys. `total_ns` is the timeline's total_time.
[[nodiscard]] std::vector<KernelSummaryRow> kernel_summary(const TableInput& input,
                                                           const CategoryOfOperator& category_of,
                                                           std::int64_t total_ns);
}  // namespace kinetoscope::analysis
