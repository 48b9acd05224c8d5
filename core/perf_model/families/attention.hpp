#pragma once

// Scaled dot-product attention of training and of whole sequences: softmax(Q K^T) V, under causal masks and windows.
//
//   pairs    = (query, key) pairs that the mask leaves, see attention_pairs.hpp; d, v: sizes of a head of Q and of V
//   forward  FLOPs = 2 B H_Q pairs (d + v);  bytes = Q + K + V + output + mask
//   backward FLOPs = B H_Q pairs (4 v + 4 d, and 2 d where scores are computed anew)
//                    + B N_KV (d + v) (H_Q - H_KV) to add up the gradients of heads that share keys
//            bytes = 2 Q + 2 K + 2 V + output + mask
//
// Of keys and values only those that a query reaches are read. Where sequences of different length stand in one tensor,
// a trace has the totals and the greatest lengths alone: one sequence of the greatest length and the rest in equal
// parts, a lower bound; most_flops has as many of the greatest length as fit. Softmax is not counted. Unit: matrix;
// precision and the output's type: those of Q.
// Source: the definition; the backward recipe of FlashAttention; operator schemas of PyTorch, FlashAttention and AITER.

#include "core/perf_model/model_family.hpp"

namespace kinetoscope::perf_model {

extern const ModelFamily attention_family;
}  // namespace kinetoscope::perf_model
