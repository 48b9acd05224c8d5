#pragma once

// Matrix products: C[M,N] = A[M,K] B[K,N], once or for each of a batch, plain, scaled or quantised, with what is added
// to the result.
//
//   FLOPs = batch (2 M N K + M N for a bias + M N for an addend whose beta is not 0)
//   bytes = A + B + C + bias + addend, each by its own element type; scales where the layout says their block
//
// A packed type stores several values in a byte: shapes count bytes, K counts values. The result's type is the recorded
// one (an out= operand, an output type literal), else what the layout says. Unit: matrix; precision: that of A, unless
// the layout says what the operands are turned into.
// Source: the definition of the product; operator schemas of PyTorch, vLLM, AITER, Transformer Engine and Primus.

#include "core/perf_model/model_family.hpp"

namespace kinetoscope::perf_model {

extern const ModelFamily gemm_family;
}  // namespace kinetoscope::perf_model
