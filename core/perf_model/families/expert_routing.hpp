#pragma once

// Choosing the experts of each token and putting tokens in the order of their experts.
//
//   plain:    FLOPs = elements of the largest operand, one step each; bytes = every operand once
//   append:   shared experts behind the chosen ones: FLOPs = chosen experts; bytes = both operands read and written
//   softplus: scores by softplus, the k best, their sum made one: FLOPs = 6 M E;
//             bytes = scores + 4 E for a bias + 8 M k for weights and numbers
//
// M tokens, E experts, k a token. Unit: vector; precision: that of the largest operand, of the weights, of the scores.
// Source: operator schemas of AITER and SGLang.

#include "core/perf_model/model_family.hpp"

namespace kinetoscope::perf_model {

extern const ModelFamily expert_routing_family;
}  // namespace kinetoscope::perf_model
