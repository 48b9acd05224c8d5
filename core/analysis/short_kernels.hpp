#pragma once

// The sheets short_kernel_histogram and short_kernels_summary: how many kernels are too short to be worth a launch, and
// which operators launch them. Over kernels of the tables' population (decision 4) with usable times, shorter than
// TableOptions::short_kernel_ns.
//
// Invariant: the histogram's counts and the rows' counts (all of them, before top_short_kernels) both add up to the
// number of short kernels. O(n + g log g) for n kernels in g rows, and O(n log b) for b bins.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/known.hpp"
#include "core/base/wide_sum.hpp"
#include "core/analysis/table_input.hpp"

namespace kinetoscope::analysis {

/// Kernels from begin_us up to, but not including, end_us; the last bin has its end, too. Edges are what the table
/// prints, so that a reader can recount.
struct ShortKernelBin {
  double begin_us = 0;
  double end_us = 0;
  std::uint64_t count = 0;
  friend bool operator==(const ShortKernelBin&, const ShortKernelBin&) = default;
};

/// Arguments are the JSON of the first operator of the group, grouped by how they print. Texts are valid as long as the
/// tree and its trace. An absent key is a key like any other.
struct ShortKernelRow {
  std::optional<std::string_view> parent;  ///< the nearest operator around the launch
  std::optional<std::string_view> input_dims;
  std::optional<std::string_view> input_strides;
  std::optional<std::string_view> concrete_inputs;
  std::string_view kernel_name;
  WideSum sum_ns = 0;
  std::uint64_t count = 0;
  double mean_ns = 0;
  Known<double> percent_of_total = Reason::not_applicable;
  friend bool operator==(const ShortKernelRow&, const ShortKernelRow&) = default;
};

struct ShortKernels {
  std::uint64_t kernels = 0;              ///< how many are short
  std::vector<ShortKernelBin> histogram;  ///< empty when there is no short kernel
  std::vector<ShortKernelRow> rows;       ///< by sum, longest first, then count, mean, share and keys
  friend bool operator==(const ShortKernels&, const ShortKernels&) = default;
};

/// `total_ns` is the timeline's total_time. In a trace without operators rows have a kernel's name only.
[[nodiscard]] ShortKernels short_kernels(const TableInput& input, std::int64_t total_ns);
}  // namespace kinetoscope::analysis
