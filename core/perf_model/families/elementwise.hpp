#pragma once

// Work on each element by itself: one operand, two that broadcast, or a copy.
//
//   FLOPs = elements of the result; 0 for a copy, which computes nothing
//   bytes = each tensor operand once + the result once, each by its own element type; of an expanded operand (stride 0)
//           only the elements that lie in memory
//
// The result's type: of an out= operand; of operators that write over their first operand (their names end with "_", or
// the layout says so) that operand's; else the larger of two operands that both have dimensions, as type promotion
// gives it; division of whole numbers gives float. Unit: vector; precision: that of the first operand, of a copy's
// source. An operator whose second operand is a number has one operand.
// Source: operator schemas and type promotion of PyTorch.

#include "core/perf_model/model_family.hpp"

namespace kinetoscope::perf_model {

extern const ModelFamily elementwise_family;
}  // namespace kinetoscope::perf_model
