#include "core/perf_model/families/unfused_experts.hpp"

#include <doctest/doctest.h>

#include "core/perf_model/models.hpp"
#include "tests/support/model_calls.hpp"

namespace kinetoscope::perf_model {
namespace {

/// Two tokens of width 8 and four experts: with two a token, 4 (1 - (2/4)^2) = 3 are read.
Call triton_call(const char* name, const char* token_type = "c10::BFloat16") {
  return {name, {tensor_of(token_type, {2, 8}), tensor_of("c10::BFloat16", {2, 4})}, {}};
}

CallContext triton_context(std::string_view kernel, bool is_gated) {
  CallContext context;
  context.first_kernel = kernel;
  context.experts_per_token = 2;
  context.is_gated = is_gated;
  return context;
}

constexpr const char* triton_up = "pseudo_op::moe_triton_unfused_up";
constexpr const char* triton_down = "pseudo_op::moe_triton_unfused_down";
}  // namespace

TEST_CASE("unfused experts: 4-bit weights by their logical size, twice as many with a gate") {
  // M 2, K 8, N 16, k 2, A 3. Up: 2*2*8*16*2*2 = 2048 FLOPs; 2*8 in, 3*2*16*8 weights, 2*2*16 out.
  const Call up{"aiter::ck_moe_stage1",
                {tensor_of("c10::BFloat16", {2, 8}), tensor_of("c10::Float4_e2m1fn_x2", {4, 32, 4}),
                 tensor_of("c10::Float4_e2m1fn_x2", {4, 8, 8}), absent(), absent(), absent(),
                 tensor_of("c10::BFloat16", {2, 2, 16})},
                {}};
  const Estimate first = estimate_call(operator_registry(), up);
  CHECK(first.flops == 2048);
  CHECK(first.bytes_moved == 16 * 2 + 768 * 0.5 + 64 * 2);
  CHECK(printed(first.parameters) == "{'M': 2, 'K': 8, 'N': 16, 'E': 4, 'topk': 2, 'gated': True}");
  // Down: half the FLOPs and weights, both operands change places.
  const Call down{"aiter::ck_moe_stage2",
                  {tensor_of("c10::BFloat16", {2, 2, 16}), tensor_of("c10::Float4_e2m1fn_x2", {4, 32, 4}),
                   tensor_of("c10::Float4_e2m1fn_x2", {4, 8, 8})},
                  {}};
  const Estimate second = estimate_call(operator_registry(), down);
  CHECK(second.flops == 1024);
  CHECK(second.bytes_moved == 64 * 2 + 384 * 0.5 + 16 * 2);
}

TEST_CASE("unfused experts: the kernel's name says the type of the weights") {
  // N is taken to be K: 2*2*8*8*2 = 512 FLOPs, twice with a gate; 16 in, 3*8*8 weights, 32 out.
  const Estimate fp4 = estimate_call(operator_registry(), triton_call(triton_up),
                                     triton_context("_matmul_ogs_bf16xbf16xmxfp4_swiglu", true));
  CHECK(fp4.flops == 1024);
  CHECK(fp4.bytes_moved == 16 * 2 + 2 * 192 * 0.5 + 32 * 2);
  CHECK(compute_spec(fp4.unit, fp4.precision) == "matrix_fp4");
  CHECK(fp4.notes.has(Note::size_assumed));
  CHECK(fp4.notes.has(Note::scales_not_counted));

  const Estimate bf16 =
      estimate_call(operator_registry(), triton_call(triton_down), triton_context("_matmul_ogs_BF16xBF16xBF16", false));
  CHECK(bf16.flops == 512);
  CHECK(bf16.bytes_moved == 32 * 2 + 192 * 2 + 16 * 2);
  CHECK(compute_spec(bf16.unit, bf16.precision) == "matrix_bf16");
  CHECK_FALSE(bf16.notes.has(Note::scales_not_counted));

  const Estimate f16 =
      estimate_call(operator_registry(), triton_call(triton_down), triton_context("_matmul_ogs_fp16xfp16xfp16", false));
  CHECK(compute_spec(f16.unit, f16.precision) == "matrix_fp16");
}

TEST_CASE("unfused experts: without a type the bytes are missing, and the FLOPs are not") {
  const Estimate no_weights =
      estimate_call(operator_registry(), triton_call(triton_up), triton_context("_matmul_ogs", true));
  CHECK(no_weights.flops == 1024);
  CHECK_FALSE(no_weights.bytes_moved.has_value());
  CHECK(no_weights.gap == Gap::element_type_unknown);
  CHECK(no_weights.gap_detail == "weights");
  CHECK(no_weights.quality == Quality::average_case);
  const Estimate no_tokens =
      estimate_call(operator_registry(), triton_call(triton_up, "c10::New"), triton_context("_matmul_ogs_mxfp4", true));
  CHECK(no_tokens.flops == 1024);
  CHECK_FALSE(no_tokens.bytes_moved.has_value());
  CHECK(no_tokens.gap_detail == "c10::New");
}

TEST_CASE("unfused experts: experts a token are never guessed") {
  CallContext context = triton_context("_matmul_ogs_mxfp4", true);
  context.experts_per_token.reset();
  const Estimate found = estimate_call(operator_registry(), triton_call(triton_up), context);
  CHECK(found.gap == Gap::argument_not_recorded);
  CHECK(found.gap_detail == "experts_per_token");
  CHECK_FALSE(found.flops.has_value());
}

TEST_CASE("unfused experts: a kernel that works row by row reads each token once for each of its experts") {
  // M 2, k 2, m 4, K 8, N 16: 2*4*8*16 = 1024 FLOPs; 4*8 in, 3*16*8 weights, 4*16 out in the input's type.
  const Call call{"sglang_profiler::fused_moe_triton_kernels_invoke_fused_moe_kernel",
                  {tensor_of("c10::BFloat16", {2, 8}), tensor_of("c10::Float8_e4m3fn", {4, 16, 8}), absent(), absent(),
                   absent(), absent(), absent(), absent(), tensor_of("int", {2, 2})},
                  {}};
  const Estimate found = estimate_call(operator_registry(), call);
  CHECK(found.flops == 1024);
  CHECK(found.bytes_moved == 32 * 2 + 384 * 1 + 64 * 2);
  CHECK(compute_spec(found.unit, found.precision) == "matrix_fp8");
}

TEST_CASE("unfused experts: weights of two values a byte, gated unless the tree says no") {
  Call call{"pseudo_op::moe_gptq_awq_up",
            {tensor_of("c10::BFloat16", {2, 8}), tensor_of("unsigned char", {4, 32, 4}),
             tensor_of("unsigned char", {4, 8, 8}), tensor_of("float", {2, 2}), tensor_of("int", {2, 2})},
            {}};
  const Estimate up = estimate_call(operator_registry(), call);
  CHECK(up.flops == 2048);
  CHECK(up.bytes_moved == 16 * 2 + 768 * 0.5 + 64 * 2);
  CallContext context;
  context.is_gated = false;
  CHECK(estimate_call(operator_registry(), call, context).flops == 2048);  // N = 32 instead of two halves of 16
  CHECK(estimate_call(operator_registry(), call, context).bytes_moved == 16 * 2 + 768 * 0.5 + 128 * 2);
  call.name = "pseudo_op::moe_gptq_awq_down";
  CHECK(estimate_call(operator_registry(), call).flops == 1024);
}

TEST_CASE("unfused experts: what is missing or does not fit is a gap, whatever the shapes") {
  const char* const cktile_up = "aiter::moe_cktile2stages_gemm1_ck";
  CHECK(estimate_call(operator_registry(), {cktile_up, {}, {}}).gap == Gap::argument_not_recorded);
  CHECK(
      estimate_call(operator_registry(), {cktile_up, {tensor_of("float", {2, 8}), tensor_of("float", {4})}, {}}).gap ==
      Gap::shape_not_fitting);
  CHECK(estimate_call(
            operator_registry(),
            {"aiter::moe_cktile2stages_gemm2_ck", {tensor_of("float", {2, 2, 16}), tensor_of("float", {1, 8, 16})}, {}})
            .gap_detail == "2 of 1 experts a token");
}
}  // namespace kinetoscope::perf_model
