#pragma once

// One of a mixture of experts' two matrix products as a kernel of its own.
//
//   up:   FLOPs = 2 M K N k g   bytes = M K of the input + A g N K of the weights + M k N of the result
//   down: FLOPs = 2 M N K k     bytes = M k N of the input + A N K of the weights + M K of the result
//   rows: FLOPs = 2 m K N       bytes = m K of the input + A N K of the weights + m N of the result, m = M k
//
// M tokens of width K, width N between the products, k experts a token, g = 2 with a gate and 1 without; A experts are
// chosen by any token (core/perf_model/expert_sizes.hpp). Scales are not counted. Sizes of values:
// core/perf_model/value_sizes.hpp. Where a call has no weights, N is taken to be K and their type stands in the
// kernel's name. Unit: matrix; precision: that of the input, of the weights where the layout or the kernel's name says.
// Source: the definition of the layer; operator schemas of AITER, SGLang and vLLM, kernel names of Triton.

#include "core/perf_model/model_family.hpp"

namespace kinetoscope::perf_model {

extern const ModelFamily unfused_experts_family;
}  // namespace kinetoscope::perf_model
