#pragma once

// act(x) * y of the two halves of one operand: silu_and_mul and its kin, whose first argument is the result.
//
//   FLOPs = n (multiplication and activation): 5 n for SiLU, 8 n for GELU by erf, 10 n for GELU by tanh; n elements of
//           the result
//   bytes = 2 n of the operand's type + n of the result's
//
// Unit: vector; precision: that of the operand.
// Source: operator schemas of vLLM, SGLang and AITER; operations counted as users' tables count them.

#include "core/perf_model/model_family.hpp"

namespace kinetoscope::perf_model {

extern const ModelFamily gated_activation_family;
}  // namespace kinetoscope::perf_model
