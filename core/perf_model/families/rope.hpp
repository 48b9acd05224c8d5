#pragma once

// Rotary position embedding: pairs of values are turned by an angle that depends on the token's position.
//
//   n rotated values: all of the operands; or of each token and head as many as the table of angles is wide
//   FLOPs = 3 n, bytes = 2 n e, e bytes of the first operand's element
//
// Operands of [T, heads x size] need the size of a head: a literal, else their last dimension. Angles are not counted:
// a cache holds them. Unit: vector; precision: that of the first operand.
// Source: the definition; operator schemas of Transformer Engine, AITER and SGLang.

#include "core/perf_model/model_family.hpp"

namespace kinetoscope::perf_model {

extern const ModelFamily rope_family;
}  // namespace kinetoscope::perf_model
