#include "core/perf_model/operator_registry.hpp"

#include <doctest/doctest.h>

#include "embedded/operators.hpp"
#include "core/base/error.hpp"
#include "tests/support/schema_check.hpp"

namespace kinetoscope::perf_model {
namespace {

std::string_view category(std::string_view name) {
  const auto found = operator_registry().category_of(name);
  return found ? operator_registry().spelling_of(*found) : "unregistered";
}
std::string_view kernel_category(std::string_view name) {
  const auto found = operator_registry().category_of_kernel(name);
  return found ? operator_registry().spelling_of(*found) : "nothing";
}
}  // namespace

TEST_CASE("operator registry: the table fits its schema") {
  CHECK(schema_problems("schemas/data/operators.schema.json", embedded::operators()).empty());
  CHECK_FALSE(schema_problems("schemas/data/operators.schema.json", R"({"about": "no lists"})").empty());
}

TEST_CASE("operator registry: every operator of the reference's registry has its category") {
  // perf_report Appendix A: 245 operators with a sheet, 48 with a category only, one of them in both lists.
  CHECK(operator_registry().size() >= 245 + 48 - 1);  // and those that came later
  CHECK(category("aten::addmm") == "GEMM");
  CHECK(category("aten::_scaled_dot_product_flash_attention") == "SDPA_fwd");
  CHECK(category("aten::miopen_convolution") == "CONV_fwd");
  CHECK(category("aten::native_layer_norm_backward") == "NORM_bwd");
  CHECK(category("aten::copy_") == "elementwise");
  CHECK(category("aten::amax") == "reduce");
  CHECK(category("aiter::fused_moe_->_fused_dynamic_mxfp4_quant_moe_sort_kernel (Synthetic Op)") == "MoE_aux");
  CHECK(category("aten::_flash_attention_forward") == "unregistered");
  CHECK(category("aten::add") == "elementwise");
  CHECK(category("aten::addm") == "unregistered");
  CHECK(category("") == "unregistered");
}

TEST_CASE("operator registry: a family says its sheet and what its backward work is") {
  const OperatorRegistry& registry = operator_registry();
  const RegisteredOperator* const attention = registry.find("FlashAttnFunc");
  REQUIRE(attention != nullptr);
  CHECK(attention->sheet == "SDPA");
  REQUIRE(attention->backward_category.has_value());
  CHECK(registry.spelling_of(*attention->backward_category) == "SDPA_bwd");
  const RegisteredOperator* const product = registry.find("aten::mm");
  REQUIRE(product != nullptr);
  CHECK(product->sheet == "GEMM");
  CHECK_FALSE(product->backward_category.has_value());
  const RegisteredOperator* const without_sheet = registry.find("aten::cudnn_convolution");
  REQUIRE(without_sheet != nullptr);
  CHECK(without_sheet->sheet.empty());
}

TEST_CASE("operator registry: a list of categories goes before the family's, and the sheet stays") {
  const RegisteredOperator* const both = operator_registry().find("aiter::fused_dynamic_mxfp4_quant_moe_sort_hip");
  REQUIRE(both != nullptr);
  CHECK(operator_registry().spelling_of(both->category) == "MoE_aux");
  CHECK(both->sheet == "GroupQuant");
}

TEST_CASE("operator registry: generated kernels and communication records go by how their names begin") {
  CHECK(category("triton_poi_fused_add_0") == "triton");
  CHECK(category("record_param_comms") == "record_param_comms");
  CHECK(category("my_triton_kernel") == "unregistered");
}

TEST_CASE("operator registry: kernels that PyTorch wrote say how they are built") {
  CHECK(kernel_category("void at::native::vectorized_elementwise_kernel<4, F>(int)") == "elementwise");
  CHECK(kernel_category("void at::native::reduce_kernel<512, 1, F>(F)") == "reduce");
  CHECK(kernel_category("void at::native::(anonymous namespace)::multi_tensor_apply_kernel<F>(F)") ==
        "multi_tensor_apply");
  // Of several words the first in the table decides.
  CHECK(kernel_category("void at::native::elementwise_kernel<128, at::native::reduce_op>(int)") == "elementwise");
  CHECK(kernel_category("void at::native::(anonymous namespace)::softmax_warp_forward<float>(float*)") == "nothing");
  CHECK(kernel_category("void other::elementwise_kernel(int)") == "nothing");
}

TEST_CASE("operator registry: a table with an operator in two families is refused by name") {
  constexpr std::string_view twice = R"({"families": [
    {"category": "GEMM", "sheet": "GEMM", "operators": ["aten::mm"]},
    {"category": "reduce", "sheet": "Reduce", "operators": ["aten::mm"]}],
    "category_only": [], "prefixes": [], "kernel_names": [], "otherwise": "other"})";
  try {
    const OperatorRegistry registry(twice);
    FAIL("accepted");
  } catch (const Error& error) {
    CHECK(error.failure().code == ErrorCode::data_file_invalid);
    CHECK(error.failure().problem.find("aten::mm") != std::string::npos);
  }
  CHECK_THROWS_AS(OperatorRegistry("{}"), Error);
}
}  // namespace kinetoscope::perf_model
