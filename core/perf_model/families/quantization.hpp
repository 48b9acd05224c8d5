#pragma once

// Quantisation: values in fewer bits, with scales.
//
//   n values of the operand, [rows, width]; the layout says the operations of each
//   FLOPs = operations n
//   bytes = operand + result + scales; what is written, by the layout's word:
//     recorded     the operands of result and scales
//     fp8          n bytes
//     fp8_groups   n bytes, and for each row 4 bytes for each group of values, one group at least
//     mxfp4        n / 2 bytes and a byte for each 32 values
//     mxfp4_twice  the matrix and its transpose: 2 ceil(n / 2), and a byte for each 32 values along either dimension
//
// What sorts tokens for experts in the same kernel is not counted. Unit: vector; precision: that of the operand.
// Source: the OCP microscaling formats; operator schemas of AITER, vLLM, SGLang and Primus; operations counted as
// users' tables count them.

#include "core/perf_model/model_family.hpp"

namespace kinetoscope::perf_model {

extern const ModelFamily quantization_family;
}  // namespace kinetoscope::perf_model
