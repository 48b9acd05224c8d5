#pragma once

// Gated delta-rule linear attention of serving engines: each token updates and reads a state of d x v a head. How many
// tokens and requests a call worked on stands in the annotation of its step.
//
//   FLOPs = 7 T H_V d v                                                  T: tokens of the step
//   bytes = T H_V (d + 2 v + 2) e + 2 requests H_V d v e                 the state is read and written once a request
//
// H_V and v stand in the shapes of gates and output; keys have half as many heads, and d is what is left of a row of
// [q, k, v]. A prefill works in chunks, which adds work that is not counted: lower bound. e: element size of the
// operand. Unit: matrix; precision: that of the operand.
// Source: the recurrence of Gated DeltaNet.

#include "core/perf_model/model_family.hpp"

namespace kinetoscope::perf_model {

extern const ModelFamily linear_attention_family;
}  // namespace kinetoscope::perf_model
