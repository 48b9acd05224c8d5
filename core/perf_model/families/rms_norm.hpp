#pragma once

// RMS normalization as inference engines have it: fused with the addition of a residual, with quantisation of the
// result, or with a second operand that is normalized in the same kernel.
//
//   x [R, c] with E elements of e bytes, c = length of the weight; [x] = 1 where x holds
//   FLOPs = (E / c) (2 c + 2) + 2 E + [residual] E + [quantised] 2 E + second
//   bytes = e (E + c) + [residual] 2 e E + result + second
//   result: as x: e E, with the last dimension padded: e R n, n = c rounded up to a multiple of the pad; fp8: E bytes
//           and a 4-byte scale for each group of each row; MXFP4: E / 2 and one byte for each 32 values
//   second [R, n]: FLOPs = those of plain normalization, as its share of the elements, rounded down;
//           bytes = e (2 R n + n)
//
// A residual is read and written. Unit: vector; precision: that of x.
// Source: the definition; operator schemas of AITER, vLLM and SGLang.

#include "core/perf_model/model_family.hpp"

namespace kinetoscope::perf_model {

extern const ModelFamily rms_norm_family;
}  // namespace kinetoscope::perf_model
