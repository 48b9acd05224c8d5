#include "core/perf_model/families/expert_routing.hpp"

#include <doctest/doctest.h>

#include "core/perf_model/models.hpp"
#include "tests/support/model_calls.hpp"

namespace kinetoscope::perf_model {

TEST_CASE("expert routing: the largest operand is worked on, the first of equal ones says the precision") {
  const Call call{"aiter::biased_grouped_topk_hip",
                  {tensor_of("c10::BFloat16", {4, 8}), tensor_of("c10::BFloat16", {8}), tensor_of("float", {4, 8}),
                   tensor_of("int", {4, 2})},
                  {}};
  const Estimate found = estimate_call(operator_registry(), call);
  CHECK(found.flops == 32);
  CHECK(found.bytes_moved == 32 * 2 + 8 * 2 + 32 * 4 + 8 * 4);
  CHECK(compute_spec(found.unit, found.precision) == "vector_bf16");
  CHECK(found.quality == Quality::exact);
}

TEST_CASE("expert routing: operands of unknown size, negative shapes and none at all are gaps") {
  const char* const sorting = "aiter::moe_sorting_fwd";
  const Estimate unknown =
      estimate_call(operator_registry(), {sorting, {tensor_of("int", {4, 2}), tensor_of("c10::New", {4, 8})}, {}});
  CHECK(unknown.flops == 32);
  CHECK(unknown.gap == Gap::element_type_unknown);
  CHECK(estimate_call(operator_registry(), {sorting, {tensor_of("int", {-4, 2})}, {}}).gap == Gap::shape_not_fitting);
  CHECK(estimate_call(operator_registry(), {sorting, {absent()}, {}}).gap == Gap::argument_not_recorded);
}

TEST_CASE("expert routing: shared experts are appended to what is read and written once") {
  const Estimate found =
      estimate_call(operator_registry(), {"sglang_profiler::fused_moe_triton_kernels_fused_append_shared_experts",
                                          {tensor_of("long int", {4, 2}), tensor_of("float", {4, 2})},
                                          {}});
  CHECK(found.flops == 8);
  CHECK(found.bytes_moved == 2 * (8 * 8 + 8 * 4));
  CHECK(compute_spec(found.unit, found.precision) == "vector_fp32");
}

TEST_CASE("expert routing: softplus scores, a bias and the chosen") {
  const Estimate found = estimate_call(
      operator_registry(), {"aiter::topk_softplus",
                            {tensor_of("float", {4, 2}), tensor_of("int", {4, 2}), tensor_of("c10::BFloat16", {4, 16})},
                            {}});
  CHECK(found.flops == 6 * 4 * 16);
  CHECK(found.bytes_moved == 4 * 16 * 2 + 4 * 16 + 8 * 4 * 2);
}
}  // namespace kinetoscope::perf_model
