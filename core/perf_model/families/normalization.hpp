#pragma once

// Batch, instance, group, layer and RMS normalization: each element minus a mean, over a deviation, times a weight,
// plus a bias, and the backward of that.
//
//   E elements of the operand, c channels (length of weight and bias), s statistics (batch: c; instance: N c; group:
//   N groups; layer, RMS: E / c), e bytes of the operand's element, [x] = 1 where x holds
//   forward      FLOPs = 6 s + 2 E + [training] 3 E
//                bytes = e (2 E + 2 s + [weight] c + [bias] c + [training with running statistics] 2 c)
//   RMS forward  FLOPs = s (2 c + 2) + E + [weight] E
//                bytes = e (2 E + s + [weight] c)
//   backward     FLOPs = 4 E + (dX asked for: [training] 5 E, else 2 E) + [not training] 3 c
//                bytes = e (2 E + [dX and training] E + [training] s + [weight] (c + [dW and training] c +
//                        [dB and training] c))
//   RMS backward FLOPs = E + [weight] E + [dX] 6 E + [dW and weight] (E + [s > 1] E)
//                bytes = e (3 E + s + [weight] (c + [dW] c))
//
// A layout without a `training` literal always computes its statistics. Optional tensors count where the call has them.
// A mask that is not recorded asks for all gradients, and so does the backward work of a forward call. Weight, bias and
// statistics count by the operand's element size. Unit: vector; precision: that of the operand.
// Source: the definitions; operator schemas of PyTorch.

#include "core/perf_model/model_family.hpp"

namespace kinetoscope::perf_model {

extern const ModelFamily normalization_family;
}  // namespace kinetoscope::perf_model
