#pragma once

// What a vendor publishes beside a dense peak: the rate with 2:4 structured sparsity, where two of every four weights
// are zero and left out. It is twice the dense one, is often the larger print of a data sheet, and no dense product
// reaches it: held against it, a utilisation comes out at half of what it is.
//
// Sources: NVIDIA A100, H100 and Blackwell architecture papers (tensor cores from compute capability 8.0: tf32, fp16,
// bf16, fp8, int8; 10.0 adds fp6 and fp4; 10.3 publishes fp4 at less than twice); AMD CDNA 3 and CDNA 4 white papers
// (fp16, bf16, fp8, int8).

#include <optional>
#include <string_view>

#include "core/perf_model/platform.hpp"

namespace kinetoscope::perf_model {

/// TFLOP/s with 2:4 sparsity of a matrix spec whose dense peak this is; absent where the hardware has no such path, and
/// where its architecture is not known.
[[nodiscard]] std::optional<double> peak_with_sparsity(const Platform& platform, std::string_view spec,
                                                       double dense_tflops);
}  // namespace kinetoscope::perf_model
