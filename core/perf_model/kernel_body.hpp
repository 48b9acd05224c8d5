#pragma once

// What the body of a generated Triton kernel says of sizes and of memory, line by line as Inductor writes it:
//
//   xnumel = 5000                            a size that was compiled in
//   x0 = (xindex % 64)                       an index that has 64 values
//   tmp0 = tl.load(in_ptr0 + (x0), xmask)    64 elements, however often each is read
//
// Different elements that an access can reach: the product of the values of the indices in its address, of each
// dimension at most its size. An address with anything else in it, such as a loaded value, may reach all.
// Cost: O(length x log indices).

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/perf_model/kernel_sizes.hpp"

namespace kinetoscope::perf_model {

/// Adds the sizes that were compiled in. False where one is not a size of a kernel.
[[nodiscard]] bool read_exact_sizes(std::string_view body, KernelSizes& sizes);

/// Elements; absent where the body has no such access in plain form.
struct PointerAccess {
  std::optional<double> read;
  std::optional<double> written;
};
/// By the place of the pointer's name in `pointers`.
[[nodiscard]] std::vector<PointerAccess> pointer_accesses(std::string_view body,
                                                          std::span<const std::string_view> pointers,
                                                          const KernelSizes& sizes);
}  // namespace kinetoscope::perf_model
