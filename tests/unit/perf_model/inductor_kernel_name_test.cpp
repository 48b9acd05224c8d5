#include "core/perf_model/inductor_kernel_name.hpp"

#include <string>

#include <doctest/doctest.h>

#include "embedded/inductor_operators.hpp"
#include "tests/support/schema_check.hpp"

namespace kinetoscope::perf_model {
namespace {

std::string cut(std::string_view name) {
  std::string out;
  for (const std::string_view part : fused_operators(name)) {
    if (!out.empty()) out += " ";
    out += part;
  }
  return out;
}
}  // namespace

TEST_CASE("inductor kernel names: the table fits its schema") {
  CHECK(schema_problems("schemas/data/inductor_operators.schema.json", embedded::inductor_operators()).empty());
}

TEST_CASE("inductor kernel names: names are cut into known operators") {
  CHECK(cut("triton_poi_fused__unsafe_view_mul_silu_2") == "_unsafe_view mul silu");
  CHECK(cut("triton_poi_fused_all_to_all_single_add_3") == "all_to_all_single add");
  CHECK(cut("triton_per_fused_native_layer_norm_backward_12") == "native_layer_norm_backward");
  CHECK(cut("triton_red_fused__softmax_add_7") == "_softmax add");
  CHECK(cut("triton_red_fused_add_mean_mul_pow_rsqrt_0") == "add mean mul pow rsqrt");
}

TEST_CASE("inductor kernel names: an unknown part, no part and other kernels say nothing") {
  CHECK(cut("triton_poi_fused_constant_pad_nd_moe_forward_0") == "");
  CHECK(cut("triton_poi_fused_0") == "");
  CHECK(cut("triton_tem_fused_mm_1") == "");
  CHECK(cut("triton_poi_fused_add") == "");
  CHECK(cut("triton_poi_") == "");
  CHECK(cut("triton_poi_fused_add_" + std::string(10'000, '_') + "_1") == "");
  CHECK_FALSE(inductor_kernel_kind("triton_tem_fused_mm_1").has_value());
}

TEST_CASE("inductor kernel names: operations of an element") {
  CHECK(operations_per_element("mul") + operations_per_element("silu") == 5);
  CHECK(operations_per_element("gelu") == 8);
  CHECK(operations_per_element("_unsafe_view") == 0);
}
}  // namespace kinetoscope::perf_model
