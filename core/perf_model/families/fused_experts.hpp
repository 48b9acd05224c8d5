#pragma once

// A mixture of experts in one kernel: for each token and each of its experts two matrix products with an activation
// between them, then the sum over its experts.
//
//   FLOPs = 2 M K N k g + 2 M N K k + M K (2 k - 1)
//   bytes = M K of the input + A (g + 1) N K of the weights + M K of the result
//
// M tokens of width K, width N between the products, k experts a token, g = 2 with a gate and 1 without; A experts are
// chosen by any token (core/perf_model/expert_sizes.hpp). What lies between the products stays on the chip; routing and
// scales are not counted. Sizes of values: core/perf_model/value_sizes.hpp. Unit: matrix; precision: that of the input.
// Source: the definition of the layer; operator schemas of AITER and vLLM.

#include "core/perf_model/model_family.hpp"

namespace kinetoscope::perf_model {

extern const ModelFamily fused_experts_family;
}  // namespace kinetoscope::perf_model
