#pragma once

// Matrix products of groups of rows, each with a matrix of its own: the experts of a mixture.
//
//   fixed_k:    C_g[M_g, N] = A_g[M_g, K] B_g[K, N]:  FLOPs = 2 M K N with M the sum of rows;
//               bytes = M K of A + G K N of B + M N of the result
//   variable_k: FLOPs = sum of 2 M_i K_i N_i; bytes = sum of M_i K_i of A + K_i N_i of B + M_i N_i of the result
//
// Operands are one tensor each, or lists of matrices. How many rows a group has is not needed: their sum is in the
// shape. One tensor each with variable K, [M, K] and [M, N], counts as one group (M, K), (K, N). The result has A's
// type, or bf16 where A has one byte. Unit: matrix; precision: that of A. Backward: not modelled.
// Source: the definition of the product; operator schemas of Primus-Turbo.

#include "core/perf_model/model_family.hpp"

namespace kinetoscope::perf_model {

extern const ModelFamily grouped_gemm_family;
}  // namespace kinetoscope::perf_model
