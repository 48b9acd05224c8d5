#include "core/perf_model/gemm_kernel_name.hpp"

#include <string>

#include <doctest/doctest.h>

namespace kinetoscope::perf_model {

TEST_CASE("gemm kernel names: Tensile's index names and nvjet's last letters say which operand is transposed") {
  CHECK(gemm_operand_order("Cijk_Alik_Bljk_BBS_BH_MT128x224x64") == OperandOrder{true, false});
  CHECK(gemm_operand_order("Cijk_Ailk_Bjlk_BBS") == OperandOrder{false, true});
  CHECK(gemm_operand_order("Custom_Cijk_Alik_Bljk_HHS") == OperandOrder{true, false});
  CHECK(gemm_operand_order("Cijk_Axyz_Bljk_HHS") == OperandOrder{std::nullopt, false});
  CHECK(gemm_operand_order("nvjet_tst_128x256_64x4_2x1_v_bz_TNT") == OperandOrder{true, false});
  CHECK(gemm_operand_order("nvjet_tst_128x256_64x4_2x1_v_bz_NTN") == OperandOrder{false, true});
}

TEST_CASE("gemm kernel names: other names say nothing") {
  for (const std::string name :
       {"", "C", "Cijk_Alik", "CIJK_Alik_Bljk_", "nvjet", "nvjet_T", "ampere_sgemm_128x64_tn"}) {
    CAPTURE(name);
    CHECK_FALSE(gemm_operand_order(name).has_value());
  }
  CHECK_FALSE(gemm_operand_order(std::string(100'000, 'C')).has_value());
}
}  // namespace kinetoscope::perf_model
