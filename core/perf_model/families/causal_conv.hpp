#pragma once

// Causal convolution of each channel by itself along a sequence: x [b, c, L], a filter [c, k].
//
//   FLOPs = 2 b c L k, bytes = x + result + filter + bias, the result being of x's type
//
// Unit: vector, for there is no product of matrices in it; precision: that of x.
// Source: the definition; operator schema of causal-conv1d.

#include "core/perf_model/model_family.hpp"

namespace kinetoscope::perf_model {

extern const ModelFamily causal_conv_family;
}  // namespace kinetoscope::perf_model
