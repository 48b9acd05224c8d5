#pragma once

// Storing new keys and values in the cache of an inference engine: both are read and written, nothing is computed.
//
//   FLOPs = 0, bytes = 4 n e, n elements of the keys, of e bytes; the values are as many
//
// The slots' indices are not counted. Unit: vector; precision: that of the keys.
// Source: operator schemas of SGLang.

#include "core/perf_model/model_family.hpp"

namespace kinetoscope::perf_model {

extern const ModelFamily cache_store_family;
}  // namespace kinetoscope::perf_model
