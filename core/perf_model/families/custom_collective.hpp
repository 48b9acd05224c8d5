#pragma once

// Collectives that a framework does with kernels of its own, within a machine.
//
//   exchange: FLOPs = 0; bytes = what this device gives + what it gets
//   rmsnorm:  a sum over devices, the residual added, then RMSNorm of rows of c elements:
//             FLOPs = E + floor(E / c) (2 c + 2) + 2 E; bytes = 4 E + c, all of the operand's type
//
// Traffic of this device's memory, not of the links. No unit: the links decide, so no compute ceiling applies.
// Source: operator schemas of AITER, SGLang and vLLM.

#include "core/perf_model/model_family.hpp"

namespace kinetoscope::perf_model {

extern const ModelFamily custom_collective_family;
}  // namespace kinetoscope::perf_model
