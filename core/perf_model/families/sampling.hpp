#pragma once

// Choosing a token of each row of logits, divided by noise: the largest quotient wins.
//
//   R rows of V logits; FLOPs = 2 R V, bytes = logits + noise + 4 R for the chosen tokens
//
// Unit: vector; precision: that of the logits.
// Source: the definition (the exponential race); operator schemas of AITER.

#include "core/perf_model/model_family.hpp"

namespace kinetoscope::perf_model {

extern const ModelFamily sampling_family;
}  // namespace kinetoscope::perf_model
