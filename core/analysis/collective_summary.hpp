#pragma once

// The sheet coll_analysis: which messages the ranks exchanged, and how long that took, over communication kernels of
// the tables' population (decision 4). What the profiler did not say of a kernel is a key like any other: custom
// all-reduce kernels, which have no metadata, are rows.
//
// Invariant, exact: the rows' sums add up to the durations of those kernels, their operations to the number of them.
// O(n + g log g) for n kernels in g rows; a row's kernels are gathered once, 8 bytes each.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/known.hpp"
#include "core/base/statistics.hpp"
#include "core/analysis/table_input.hpp"

namespace kinetoscope::analysis {

/// All but the last three are the key. Texts are valid as long as the trace.
struct CollectiveRow {
  std::int64_t rank = 0;  ///< the trace's own; 0, the number of its only file, where it does not say
  std::string_view group_name;
  std::optional<std::string_view> group_ranks;
  std::optional<std::string_view> collective_name;
  std::optional<std::int64_t> group_size;
  std::optional<std::string_view> data_type;
  std::optional<std::int64_t> in_elements;
  std::optional<std::int64_t> out_elements;
  std::optional<std::string_view> in_split_size;
  std::optional<std::string_view> out_split_size;
  std::optional<std::int64_t> stream;
  std::optional<std::int64_t> element_bytes;  ///< absent for a data type that nobody knows
  Statistics durations_ns;                    ///< of kernels with usable times; count 0 without any
  std::uint64_t operations = 0;               ///< timed or not
  friend bool operator==(const CollectiveRow&, const CollectiveRow&) = default;
};

/// Sorted by sum of durations, longest first, then by the keys.
[[nodiscard]] std::vector<CollectiveRow> collective_summary(const TableInput& input);
}  // namespace kinetoscope::analysis
