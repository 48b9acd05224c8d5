#pragma once

// Rotary position embedding of latent attention, fused with joining each head's two parts and with writing the cache:
// queries [T, H, L] and [T, H, P], keys [T, G, L] and [T, G, P], of which the parts P are rotated.
//
//   FLOPs = 3 T P (H + G)
//   bytes = T (L + P) (H q + G q + H r + G k), q, r, k bytes an element of the queries, of the result and of the cache
//
// Without a recorded result, or cache, its type is that of the queries. Unit: vector; precision: that of the queries.
// Source: the definition; operator schemas of AITER.

#include "core/perf_model/model_family.hpp"

namespace kinetoscope::perf_model {

extern const ModelFamily latent_rope_family;
}  // namespace kinetoscope::perf_model
