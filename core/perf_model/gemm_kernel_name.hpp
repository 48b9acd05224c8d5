#pragma once

// How the operands of a matrix product lie, by the name of the kernel that computed it: Tensile's Cijk_Alik_Bljk_...
// (first operand transposed, second not), and cuBLAS's nvjet_..._TNN. Library kernels only; other names say nothing.
// Cost: O(length).

#include <optional>
#include <string_view>

namespace kinetoscope::perf_model {

/// Whether each operand is transposed; absent where the name leaves it open.
struct OperandOrder {
  std::optional<bool> is_a_transposed;
  std::optional<bool> is_b_transposed;
  friend bool operator==(const OperandOrder&, const OperandOrder&) = default;
};

/// Absent for names of no such library.
[[nodiscard]] std::optional<OperandOrder> gemm_operand_order(std::string_view kernel_name) noexcept;
}  // namespace kinetoscope::perf_model
