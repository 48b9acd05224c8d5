#pragma once

// The columns of the sheets short_kernel_histogram and short_kernels_summary.

#include <span>

#include "core/analysis/column.hpp"
#include "core/analysis/short_kernels.hpp"

namespace kinetoscope::analysis {

[[nodiscard]] std::span<const Column<ShortKernelBin>> short_kernel_histogram_columns();
[[nodiscard]] std::span<const Column<ShortKernelRow>> short_kernels_columns();
/// Those of a trace without operators, which has only kernels to name (TableInput::is_gpu_only).
[[nodiscard]] std::span<const Column<ShortKernelRow>> short_kernels_columns_without_operators();
}  // namespace kinetoscope::analysis
