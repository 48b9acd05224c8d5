#pragma once

// Which operators a kernel made by Inductor stands for, by its name: triton_poi_fused__unsafe_view_mul_silu_2 is
// _unsafe_view, mul and silu. Names of operators have underscores themselves, so the name is cut into known ones
// (inductor_operators.json); of several ways the one whose last names are longest counts. A name with an unknown part
// says nothing.
// Cost: O(length x longest known name). The table is read at the first call. Threads: safe to call at once.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace kinetoscope::perf_model {

enum class InductorKernelKind : std::uint8_t {
  pointwise,   ///< triton_poi_
  reduction,   ///< triton_red_, over a loop
  persistent,  ///< triton_per_, a reduction within a block
};

/// Of names that begin as one of the three kinds do, whatever follows.
[[nodiscard]] std::optional<InductorKernelKind> inductor_kernel_kind(std::string_view name) noexcept;

/// The fused operators in order; views live as long as the program. Empty where the name cannot be cut.
[[nodiscard]] std::vector<std::string_view> fused_operators(std::string_view name);
/// How many operations the operator takes for an element.
[[nodiscard]] std::int64_t operations_per_element(std::string_view operator_name);
}  // namespace kinetoscope::perf_model
