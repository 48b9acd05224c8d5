#pragma once

// Collectives that a framework does with kernels of its own, within a machine.
//
//   exchange: FLOPs = 0; bytes = what this device gives + what it gets
//   rmsnorm:  a sum over devices, the residual added, then RMSNorm of rows of c elements:
//             FLOPs = E + floor(E / c) (2 c + 2) + 2 E; bytes = 4 E + c, all of the operand's type
//
// Bytes are traffic of this device's memory. No unit: no compute ceiling applies. Over the links go, each way and at
// least, what this device lacks of the others or they of it: the larger operand's bytes less the smaller one's of a
// gather or a scatter, and the operand's bytes of a sum, 2 (n - 1) / n of them for n devices, whose number the call
// does not say. Source of that bound: Patarasu and Yuan, "Bandwidth optimal all-reduce algorithms", 2009.
// Source: operator schemas of AITER, SGLang and vLLM.

#include "core/perf_model/model_family.hpp"

namespace kinetoscope::perf_model {

extern const ModelFamily custom_collective_family;
}  // namespace kinetoscope::perf_model
