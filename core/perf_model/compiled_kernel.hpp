#pragma once

// What the generated source of one of Inductor's Triton kernels says of it. A value: two sources that say the same are
// equal.

#include <cstdint>
#include <string>
#include <vector>

namespace kinetoscope::perf_model {

struct CompiledPointer {
  std::string type;          ///< of an element, as Triton names it: bf16, fp32, i64
  double elements_read = 0;  ///< different ones, at most
  double elements_written = 0;
  friend bool operator==(const CompiledPointer&, const CompiledPointer&) = default;
};

struct CompiledKernel {
  std::string name;
  double xnumel = 1;             ///< elements of the grid, all its dimensions multiplied
  double rnumel = 1;             ///< elements that each of them reduces; 1 of a pointwise kernel
  bool has_exact_sizes = false;  ///< else some are hints, which Inductor rounds up to a power of two
  std::vector<CompiledPointer> pointers{};
  friend bool operator==(const CompiledKernel&, const CompiledKernel&) = default;
};
}  // namespace kinetoscope::perf_model
