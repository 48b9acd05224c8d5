#pragma once

// Reads what a Python file that Inductor generated says of its Triton kernels: a kernel's own file, or the module that
// calls several and holds their sources as texts. A kernel is a decorator of literals (size_hints, the signature's
// types, the kernel's name), a definition, and a body (kernel_body.hpp). Nothing of it is evaluated: what is not in the
// form that Inductor writes is counted and says nothing.
// Cost: O(length x log arguments); no byte is read more than a few times, whatever the file holds.

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/perf_model/compiled_kernel.hpp"

namespace kinetoscope::perf_model {

struct CompiledSource {
  std::vector<CompiledKernel> kernels;  ///< in the order of the file; of names that inductor_kernel_kind() knows
  std::uint64_t not_understood = 0;     ///< decorators of kernels that are not in the form expected
  friend bool operator==(const CompiledSource&, const CompiledSource&) = default;
};
[[nodiscard]] CompiledSource read_compiled_kernels(std::string_view python);
}  // namespace kinetoscope::perf_model
