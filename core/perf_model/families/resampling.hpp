#pragma once

// Padding by repeated borders and nearest-neighbour enlargement: each element of the result is one of the operand.
//
//   FLOPs = elements of the result, one choice of an index each
//   bytes = operand + result, both of the operand's type
//
// Sizes of the result: padding is a list of pairs, innermost dimension first; enlargement has the spatial sizes in a
// list, or factors where that list is empty. Unit: vector; precision: that of the operand.
// Source: PyTorch's operator schemas of replication_pad and upsample_nearest.

#include "core/perf_model/model_family.hpp"

namespace kinetoscope::perf_model {

extern const ModelFamily resampling_family;
}  // namespace kinetoscope::perf_model
