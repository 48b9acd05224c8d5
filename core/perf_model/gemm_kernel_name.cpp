#include "core/perf_model/gemm_kernel_name.hpp"

#include <array>
#include <cstddef>

namespace kinetoscope::perf_model {
namespace {

constexpr std::string_view nvjet_prefix = "nvjet";

constexpr bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

/// "Cijk_Alik_Bljk": index names of the result and of both operands, at a place of the name.
bool has_index_names(std::string_view name, std::size_t at) {
  constexpr std::string_view pattern = "Cxxx_Axxx_Bxxx";
  if (name.size() - at < pattern.size()) return false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const bool fits = pattern[i] == 'x' ? is_lower(name[at + i]) : name[at + i] == pattern[i];
    if (!fits) return false;
  }
  return true;
}

bool is_tensile_gemm(std::string_view name) {
  for (std::size_t at = name.find('C'); at != std::string_view::npos; at = name.find('C', at + 1)) {
    if (has_index_names(name, at)) return true;
  }
  return false;
}

std::optional<bool> transposed(std::string_view name, std::string_view plain, std::string_view turned) {
  if (name.find(plain) != std::string_view::npos) return false;
  if (name.find(turned) != std::string_view::npos) return true;
  return {};
}
}  // namespace

std::optional<OperandOrder> gemm_operand_order(std::string_view kernel_name) noexcept {
  if (is_tensile_gemm(kernel_name)) {
    return OperandOrder{transposed(kernel_name, "_Ailk_", "_Alik_"), transposed(kernel_name, "_Bljk_", "_Bjlk_")};
  }
  if (!kernel_name.starts_with(nvjet_prefix)) return {};
  const std::string_view last = kernel_name.substr(kernel_name.rfind('_') + 1);
  if (last.size() < 2 || last.size() == kernel_name.size()) return {};
  return OperandOrder{last[0] == 'T', last[1] == 'T'};
}
}  // namespace kinetoscope::perf_model
