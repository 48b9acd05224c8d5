#include "core/perf_model/families/inference_attention.hpp"

#include <doctest/doctest.h>

#include "core/perf_model/models.hpp"
#include "tests/support/written_call.hpp"

namespace kinetoscope::perf_model {
namespace {

/// 64 requests generate one token each over 131072 keys, 2048 a request.
constexpr std::string_view decode_step = "step[DECODE bs=64 g_sq=64 g_sqsq=64 g_sqsk=131072 g_sk=131072]";

Estimate in_step(std::string_view annotation, const Call& call, CallContext context = {}) {
  const auto step = names::parse_step_annotation(annotation);
  if (step) context.step = &*step;
  return estimate_call(operator_registry(), call, context);
}
}  // namespace

TEST_CASE("inference attention: prompts are causal, generated tokens see all keys") {
  const Call call = written_call("vllm::unified_attention_with_output",
                                 {"bf16[6147,8,128]", "bf16[6147,1,128]", "bf16[6147,1,128]", "bf16[6147,8,128]"});
  const Estimate found = in_step(
      "execute_6147_context_2(sq6144sk7144sqsq20971520sqsk23019520)_generation_3"
      "(sq3sk6144sqsq3sqsk6144)",
      call);
  CHECK(found.flops == 8 * 256 * (2 * 23019520.0 - 20971520) + 2 * 8 * 256 * 6144);
  CHECK(found.bytes_moved == 6147 * 9 * 256 * 2 + (1000 + 6141) * 256 * 2);
  CHECK(found.quality == Quality::average_case);
  CHECK(found.notes.has(Note::window_unknown));
  CHECK(in_step("execute_context_0(0)_generation_64(64)", call).gap == Gap::step_not_annotated);
  CHECK(in_step("", call).gap == Gap::step_not_annotated);
}

TEST_CASE("inference attention: the cache's own element type counts for keys that were there") {
  const Call call =
      written_call("vllm::unified_attention_with_output", {"bf16[64,8,128]", "bf16[64,1,128]", "bf16[64,1,128]"});
  CallContext context;
  context.kv_cache_type = "c10::Float8_e4m3fnuz";
  CHECK(in_step(decode_step, call, context).bytes_moved == 64 * 9 * 256 * 2 + (131072 - 64) * 256);
}

TEST_CASE("inference attention: a latent cache is read once, and values are the latent without the rotated key") {
  const Estimate found =
      in_step(decode_step, written_call("pseudo_mla_decode_fwd", {"bf16[64,16,576]", "bf16[1000,1,576]"}));
  CHECK(found.flops == 2 * 16 * (576 + 512) * 131072.0);
  CHECK(found.bytes_moved == 64 * 16 * (576 + 512) * 2 + 131072 * 576 * 2);
  // With values of their own, keys and values are two operands.
  const Estimate prefill =
      in_step("step[EXTEND c_sq=8 c_sk=8 c_sqsq=64 c_sqsk=64]",
              written_call("pseudo_mla_prefill_fwd", {"bf16[8,16,192]", "bf16[8,16,192]", "bf16[8,16,128]"}));
  CHECK(prefill.flops == 16 * (192 + 128) * 64);
  CHECK(prefill.bytes_moved == 8 * 32 * 320 * 2);
}

TEST_CASE("inference attention: a window that the call states limits keys") {
  const std::vector<std::string> operands = {"bf16[64,8,128]", "bf16[64,8,128]", "f8z[1000,1,8,16,16]"};
  const Estimate found = in_step(decode_step, written_call("aiter::pa_decode_gluon", operands, {{19, "128"}}));
  CHECK(found.flops == 2 * 8 * 256 * (64 * 128));
  CHECK(found.bytes_moved == 64 * 9 * 256 * 2 + (64 * 128 - 64) * 256);
  CHECK(found.quality == Quality::exact);
  CHECK(in_step(decode_step, written_call("aiter::pa_decode_gluon", operands, {{19, "0"}})).flops ==
        2 * 8 * 256 * 131072.0);
  // It decodes only: prompts of a mixed step belong to another operator.
  CHECK(
      in_step("step[EXTEND c_sq=8 c_sk=8 c_sqsq=64 c_sqsk=64]", written_call("aiter::pa_decode_gluon", operands)).gap ==
      Gap::not_modelled);
}

TEST_CASE("inference attention: -1 keys before a query are all keys, 127 and its own are a window of 128") {
  const std::vector<std::string> operands = {"bf16[64,8,128]", "bf16[1000,1,128]", "bf16[1000,1,128]"};
  const Estimate all =
      in_step(decode_step, written_call("aiter::mha_batch_prefill", operands, {{12, "True"}, {13, "-1"}}));
  CHECK(all.flops == 2 * 8 * 256 * 131072.0);
  CHECK(all.quality == Quality::exact);
  const Estimate some =
      in_step(decode_step, written_call("aiter::mha_batch_prefill", operands, {{12, "True"}, {13, "127"}, {14, "0"}}));
  CHECK(some.flops == 2 * 8 * 256 * (64 * 128));
  const Estimate unknown = in_step(decode_step, written_call("aiter::mha_batch_prefill", operands));
  CHECK(unknown.quality == Quality::average_case);
}

TEST_CASE("inference attention: a compressed cache is a window and rows that stand for several keys, read once") {
  const auto bytes = [](double heads, double keys) { return 64 * heads * 1024 * 2 + keys * 512 * 2; };
  const std::vector<std::string> operands = {"bf16[64,64,512]"};
  const Estimate window = in_step(decode_step, written_call("pseudo_v4_paged_decode_swa", operands));
  CHECK(window.flops == 2 * 64 * 1024 * (64 * 128.0));
  CHECK(window.bytes_moved == bytes(64, 64 * 128));
  CHECK(window.quality == Quality::exact);
  CallContext context;
  context.served_model = "DeepSeek-V4-Pro";
  context.query_heads = 16;
  const Estimate chosen = in_step(decode_step, written_call("pseudo_v4_paged_decode_csa", operands), context);
  CHECK(chosen.flops == 2 * 16 * 1024 * (64 * (128 + 512.0)));  // 2048 / 4 = 512 of at most 1024
  CHECK(chosen.bytes_moved == bytes(16, 64 * 640));
  const Estimate all = in_step(decode_step, written_call("pseudo_v4_paged_decode_hca", operands));
  CHECK(all.flops == 2 * 64 * 1024 * (64 * (128 + 16.0)));  // 2048 / 128 = 16
  CHECK(all.bytes_moved == bytes(64, 64 * 144));
  CHECK(all.quality == Quality::average_case);
}

TEST_CASE("inference attention: a ragged call has its queries behind its buffers, and a cache of their type") {
  const Estimate found = in_step(
      decode_step, written_call("sglang_profiler::attention_paged_attention_ragged",
                                {"f32[1]", "f32[1]", "bf16[64,8,128]", "bf16[1000,16,1,128]", "bf16[1000,16,1,128]"}));
  CHECK(found.flops == 2 * 8 * 256 * 131072.0);
  CHECK(found.bytes_moved == 64 * 9 * 256 * 2 + (131072 - 64) * 256 * 2);
}

TEST_CASE("inference attention: listed pairs need no annotation") {
  const Estimate found = in_step(
      "", written_call("aiter::pa_sparse_prefill_opus_fwd",
                       {"bf16[1024,16,512]", "bf16[5000,512]", "i32[100000]", "i32[1]", "i32[1]", "i32[50000]"}));
  CHECK(found.flops == 4 * 150000 * 16 * 512.0);
  CHECK(found.bytes_moved == 2 * 1024 * 16 * 512 * 2 + 150000 * 512 * 2);
  CHECK(found.quality == Quality::exact);
  CHECK(compute_spec(found.unit, found.precision) == "matrix_bf16");
}

TEST_CASE("linear attention: the state is read and written once a request") {
  const std::vector<std::string> operands = {"bf16[64,2048]", "bf16[64,8]", "bf16[64,8]", "bf16[64,8,128]"};
  // 8 heads of values of 128; 2048 - 1024 are queries and keys of 4 heads of 128.
  const double state = 8 * 128 * 128;
  const Estimate decode = in_step(decode_step, written_call("vllm::gdn_attention_core", operands));
  CHECK(decode.flops == 7 * 64 * state);
  CHECK(decode.bytes_moved == 2 * 64 * 8 * (128 + 256 + 2) + 2 * 64 * state * 2);
  CHECK(decode.quality == Quality::exact);
  const Estimate prefill = in_step("execute_40_context_1(sq38sk38sqsq1444sqsk1444)_generation_2(sq2sk9sqsq2sqsk9)",
                                   written_call("aiter::linear_attention_with_output_base", operands));
  CHECK(prefill.flops == 7 * 40 * state);
  CHECK(prefill.bytes_moved == 2 * 40 * 8 * 386 + 2 * 3 * state * 2);
  CHECK(prefill.quality == Quality::lower_bound);
  CHECK(prefill.notes.has(Note::chunked_work_omitted));
  CHECK(in_step("", written_call("vllm::gdn_attention_core", operands)).gap == Gap::step_not_annotated);
  CHECK(in_step(decode_step,
                written_call("vllm::gdn_attention_core", {"bf16[64,100]", "bf16[64,8]", "", "bf16[64,8,128]"}))
            .gap == Gap::shape_not_fitting);
}
}  // namespace kinetoscope::perf_model
