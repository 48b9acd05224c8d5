#include "core/perf_model/families/quantization.hpp"

#include <doctest/doctest.h>

#include "tests/support/model_calls.hpp"

namespace kinetoscope::perf_model {

TEST_CASE("quantization: recorded results and scales count by their own types") {
  const Estimate found =
      estimate_named("aiter::dynamic_per_token_scaled_quant", {fp8({64, 7168}), bf16({64, 7168}), f32({64, 1})});
  CHECK(found.flops == 1189888);        // 2.59375 * 458752
  CHECK(found.bytes_moved == 1376512);  // 3 * 458752 + 4 * 64
  CHECK(compute_spec(found.unit, found.precision) == "vector_bf16");
  const Estimate without_scales =
      estimate_named("aiter::dynamic_per_token_scaled_quant", {fp8({64, 7168}), bf16({64, 7168})});
  CHECK(without_scales.gap == Gap::argument_not_recorded);
  CHECK(without_scales.gap_detail == "scales");
}

TEST_CASE("quantization: a row has a scale for each group, the last one partly filled") {
  const Estimate found = estimate_named("vllm::triton_per_token_group_quant_fp8", {bf16({200})}, {{1, "128"}});
  CHECK(found.flops == 1200);       // 6 * 200
  CHECK(found.bytes_moved == 608);  // 3 * 200 + 4 * 2
  CHECK(estimate_named("vllm::triton_per_token_group_quant_fp8", {bf16({200})}).bytes_moved == 608);
  CHECK(estimate_named("vllm::triton_per_token_group_quant_fp8", {bf16({200})}, {{1, "0"}}).gap ==
        Gap::literal_not_fitting);
}

TEST_CASE("quantization: MXFP4 stands where the operator has its operand") {
  const Operand x = bf16({64, 7168});
  const Operand packed = operand_of({64, 3584}, "c10::Float4_e2m1fn_x2");
  constexpr double bytes = 1161216;  // 2 * 458752 + 229376 + 14336
  CHECK(estimate_named("sglang_profiler::quant_dynamic_mxfp4_quant", {x}).bytes_moved == bytes);
  CHECK(estimate_named("aiter::dynamic_per_group_scaled_quant_fp4", {packed, x}).bytes_moved == bytes);
  const Estimate sorted = estimate_named("aiter::fused_dynamic_mxfp4_quant_moe_sort_hip", {packed, absent(), x});
  CHECK(sorted.bytes_moved == bytes);
  CHECK(sorted.flops == 917504);  // 2 * 458752
}

TEST_CASE("quantization: both layouts of an odd matrix round their bytes and blocks up") {
  const Estimate found = estimate_named("primus::quantize_mxfp4_dual", {bf16({3, 33})});
  CHECK(found.flops == 99);
  CHECK(found.bytes_moved == 337);  // 2 * 99 + 2 * 50 + 3 * 2 + 33 * 1
  CHECK(estimate_named("primus::quantize_mxfp4_dual", {bf16({99})}).gap == Gap::shape_not_fitting);
  CHECK(estimate_named("primus_turbo::quantize_fp8_tensorwise", {bf16({3, 33})}).bytes_moved == 297);  // 3 * 99
}

TEST_CASE("sampling: noise that is expanded over rows is read once") {
  Operand noise = f32({64, 32000});
  const auto drawn = [&] {
    return estimate_named("aiter::mixed_sample_outer_exponential", {absent(), bf16({64, 32000}), noise});
  };
  CHECK(drawn().flops == 4096000);         // 2 * 64 * 32000
  CHECK(drawn().bytes_moved == 12288256);  // 64 * 32000 * 6 + 4 * 64
  noise.strides = Shape{0, 1};
  CHECK(drawn().bytes_moved == 4224256);  // 64 * 32000 * 2 + 4 * 32000 + 4 * 64
}

TEST_CASE("cross entropy: every row counts, not the first dimension alone") {
  const Estimate found = estimate_named("CrossEntropyFunction", {bf16({2, 3, 10})});
  CHECK(found.flops == 300);        // 5 * 6 * 10
  CHECK(found.bytes_moved == 192);  // 6 (20 + 8 + 4)
  CHECK(backward_named("CrossEntropyFunction", {bf16({2, 3, 10})}).gap == Gap::not_modelled);
}
}  // namespace kinetoscope::perf_model
