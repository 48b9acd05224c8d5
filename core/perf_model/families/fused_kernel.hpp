#pragma once

// Kernels that Inductor writes in Triton, one of several fused operators each; their arguments are pointers and sizes.
//
//   FLOPs = elements x the operations of the fused operators for one element (inductor_kernel_name.hpp)
//   bytes = each pointer once: all of it in a reduction, at most as many elements as are worked on in a pointwise
//   kernel
//
// Elements: of a pointwise kernel the last literal, or the product of the last two, whichever a pointer has as many
// elements as; of a reduction the product of the last two; else those of the largest pointer. A pointwise kernel with
// just as many pointers as its operators have operands writes over one of them, which is one write more (a note says
// so: the trace does not). Where the trace has no arguments, the kernel's generated source may say them
// (compiled_kernel.hpp): elements are the sizes multiplied, bytes what its body reads and writes; an average, since
// masks and loaded addresses may reach less. Unit: vector; precision: that of the first pointer whose element size is
// known. Source: the form of Inductor's generated kernels.

#include "core/perf_model/model_family.hpp"

namespace kinetoscope::perf_model {

extern const ModelFamily fused_kernel_family;
}  // namespace kinetoscope::perf_model
