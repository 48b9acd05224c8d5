#pragma once

// Layer normalization with a scale and a shift for each sequence (adaptive layer norm of diffusion transformers):
// LN(x) (1 + scale) + shift of x [T, B, H], with scale and shift [B, H].
//
//   E = T B H elements, e bytes of the operand's element
//   forward   FLOPs = 12 E, bytes = e (2 E + 2 B H) + 8 T B      the last: mean and deviation of each token, 4 bytes
//   each backward  FLOPs = 15 E, bytes = e (3 E + 3 B H) + 8 T B
//
// Unit: vector; precision: that of the operand.
// Source: the definition; operator schemas of Primus.

#include "core/perf_model/model_family.hpp"

namespace kinetoscope::perf_model {

extern const ModelFamily modulated_norm_family;
}  // namespace kinetoscope::perf_model
