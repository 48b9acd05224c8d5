#pragma once

// What the model of the decode loop calls outside of graphs: for each kernel the operator that launches it, with the
// arguments that PyTorch records for it, and how long the kernel takes for more than a few tokens. The model has a
// width of 2048, 32 heads of 64 that share 4 heads of keys and values, a gated layer of 5632, and 32000 words.

#include <cstdint>

#include "examples/generator/timeline.hpp"

namespace kinetoscope::examples {

inline constexpr std::int64_t decode_width = 2048;
inline constexpr std::int64_t decode_vocabulary = 32'000;

/// The operator of one of decode_kernels(), told by the module that launches it.
[[nodiscard]] Op eager_operator(const Kernel& kernel, std::int64_t tokens);

/// The kernel's time in a decode step, and what each of `tokens` adds. Products stay below 400 TFLOP/s and read their
/// weights at no more than 3300 GB/s, the rest moves less than that: an MI300X can do it.
[[nodiscard]] std::int64_t eager_duration_ns(const Kernel& kernel, std::int64_t tokens);
}  // namespace kinetoscope::examples
