#pragma once

// Hyper-connections: n residual streams of M tokens of width C instead of one, mixed before and after each layer by
// small matrices that a projection of the streams gives.
//
//   post:     the layer's result is put into the streams, which are mixed:
//             FLOPs = 2 M n C (n + 1); bytes = e (M C + 2 M n C) + 4 (M n + M n n)
//   project:  streams times a [h, K] matrix in s parts, with their squares' sums:
//             FLOPs = 2 M h K; bytes = e M n C + 4 (h K + s M h + s M)
//   pre:      the layer's operand from the streams and the projection, with its RMSNorm:
//             FLOPs = 2 M C n + 5 M C; bytes = e (M n C + C + M C) + 4 (s M h + M n + M n n)
//   post_project: post and project in one: the new streams are projected while they are written:
//             FLOPs = both; bytes = e (M C + 3 M n C) + 4 (M n + M n n + h K + s M h + s M)
//
// Streams and tokens have elements of e bytes (two where the type is not recorded); all else is float. Unit: matrix
// with a projection, else vector; precision: that of the streams. Source: operator schemas of AITER.

#include "core/perf_model/model_family.hpp"

namespace kinetoscope::perf_model {

extern const ModelFamily hyper_connections_family;
}  // namespace kinetoscope::perf_model
