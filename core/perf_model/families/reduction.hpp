#pragma once

// Reductions over dimensions, scans, and their two-operand namesakes (max and min of two tensors are elementwise).
//
//   FLOPs = elements of the operand; of two operands, elements of the result
//   bytes = operand + results
//
// Results: the dimensions that are kept, 1 where all are reduced; a scan has as many as the operand; max and min over
// one dimension give an index (8 bytes) beside each value. The result's type is the operand's; a dtype literal goes
// before it; sums and scans of whole numbers give 64-bit integers. Unit: vector; precision: that of the operand. The
// backward work of a reduction moves and computes as much.
// Source: PyTorch's operator schemas and type promotion of sum, cumsum and cumprod.

#include "core/perf_model/model_family.hpp"

namespace kinetoscope::perf_model {

extern const ModelFamily reduction_family;
}  // namespace kinetoscope::perf_model
