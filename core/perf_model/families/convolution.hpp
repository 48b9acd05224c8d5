#pragma once

// Convolutions over one to three dimensions, also transposed and in groups, with or without bias.
//
//   output, each dimension: floor((in + 2 padding - dilation (kernel - 1) - 1) / stride) + 1,
//   transposed:             (in - 1) stride - 2 padding + dilation (kernel - 1) + output_padding + 1
//   P = FLOPs of the products: 2 (elements of one filter) (elements of the output; transposed: of the input)
//   forward:  FLOPs = P + elements of the output for a bias;  bytes = input + filters + output + bias
//   backward: gradient of the input:   FLOPs P;                       bytes = output + filters + input
//             gradient of the filters: FLOPs P;                       bytes = output + input + filters
//             gradient of the bias:    FLOPs elements of the output;  bytes = output + one value a channel
//
// Only gradients that the output mask asks for count; each reads the output's gradient anew. Unit: matrix; precision
// and the output's type: those of the input. Source: the definition; PyTorch's convolution and convolution_backward.

#include "core/perf_model/model_family.hpp"

namespace kinetoscope::perf_model {

extern const ModelFamily convolution_family;
}  // namespace kinetoscope::perf_model
