#include "core/perf_model/families/fused_experts.hpp"

#include <doctest/doctest.h>

#include "core/perf_model/models.hpp"
#include "tests/support/model_calls.hpp"

namespace kinetoscope::perf_model {
namespace {

constexpr const char* one_stage = "pseudo_op::moe_aiter_fused_1stage";

/// Two tokens of width 8, four experts, two a token: 4 (1 - (2/4)^2) = 3 of them are read.
Estimate small_fused(std::int64_t rows_of_first, const char* weight_type) {
  return estimate_call(operator_registry(),
                       {one_stage,
                        {tensor_of("c10::BFloat16", {2, 8}), tensor_of(weight_type, {4, rows_of_first, 8}),
                         tensor_of(weight_type, {4, 8, 16}), tensor_of("float", {2, 2})},
                        {}});
}
}  // namespace

TEST_CASE("fused experts: with a gate three products, without one two, and the sum over a token's experts") {
  // M 2, K 8, N 16, k 2. A product: 2*2*8*16*2 = 1024. Sum: 2*8*(2*2-1) = 48.
  const Estimate gated = small_fused(32, "c10::Float8_e4m3fn");
  CHECK(gated.flops == 3 * 1024 + 48);
  CHECK(gated.bytes_moved == 2 * 8 * 2 + 3 * (3 * 16 * 8) * 1 + 2 * 8 * 2);
  const Estimate plain = small_fused(16, "c10::Float8_e4m3fn");
  CHECK(plain.flops == 2 * 1024 + 48);
  CHECK(plain.bytes_moved == 2 * 8 * 2 + 2 * (3 * 16 * 8) * 1 + 2 * 8 * 2);
  CHECK(printed(gated.parameters) == "{'M': 2, 'K': 8, 'N': 16, 'E': 4, 'topk': 2, 'gated': True}");
}

TEST_CASE("fused experts: say that routing is taken as uniform, and of quantised weights that scales are left out") {
  const Estimate quantised = small_fused(32, "c10::Float8_e4m3fn");
  CHECK(quantised.quality == Quality::average_case);
  CHECK(quantised.notes.has(Note::routing_uniform));
  CHECK(quantised.notes.has(Note::scales_not_counted));
  const Estimate plain = small_fused(32, "c10::BFloat16");
  CHECK(plain.bytes_moved == 2 * 8 * 2 + 3 * (3 * 16 * 8) * 2 + 2 * 8 * 2);
  CHECK_FALSE(plain.notes.has(Note::scales_not_counted));
  CHECK(compute_spec(plain.unit, plain.precision) == "matrix_bf16");
}

TEST_CASE("fused experts: a kernel that is given its result has experts a token as a literal") {
  Call call{"aiter::fmoe_g1u1",
            {tensor_of("c10::BFloat16", {2, 8}), tensor_of("c10::Float8_e4m3fn", {2, 8}),
             tensor_of("c10::Float8_e4m3fn", {4, 32, 8}), tensor_of("c10::Float8_e4m3fn", {4, 8, 16})},
            {"", "", "", "", "", "", "", "", "2"}};
  const Estimate found = estimate_call(operator_registry(), call);
  CHECK(found.flops == 3 * 1024 + 48);
  CHECK(found.bytes_moved == 2 * 8 * 1 + 3 * (3 * 16 * 8) * 1 + 2 * 8 * 2);  // fp8 in, bf16 out
  CHECK(compute_spec(found.unit, found.precision) == "matrix_fp8");

  call.literals[8] = "two";
  CHECK(estimate_call(operator_registry(), call).gap == Gap::literal_not_fitting);
  call.literals.clear();
  const Estimate unknown = estimate_call(operator_registry(), call);
  CHECK(unknown.gap == Gap::argument_not_recorded);
  CHECK(unknown.gap_detail == "experts_per_token");
  CHECK_FALSE(unknown.flops.has_value());
}
}  // namespace kinetoscope::perf_model
