#pragma once

// Cross entropy of rows of logits: the maximum, exponentials, their sum, and the loss.
//
//   rows of V logits of e bytes, the last dimension being V
//   FLOPs = 5 rows V, bytes = rows (V e + 8 + 4)      a 64-bit target and a 32-bit loss of each row
//
// Unit: vector; precision: that of the logits.
// Source: the definition; operations counted as users' tables count them.

#include "core/perf_model/model_family.hpp"

namespace kinetoscope::perf_model {

extern const ModelFamily cross_entropy_family;
}  // namespace kinetoscope::perf_model
