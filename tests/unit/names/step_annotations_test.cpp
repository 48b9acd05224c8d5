#include "core/names/step_annotations.hpp"

#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace kinetoscope::names {
namespace {

StepAnnotation parsed(std::string_view name) {
  CAPTURE(name);
  const auto step = parse_step_annotation(name);
  REQUIRE(step.has_value());
  return *step;
}
}  // namespace

// Counts by reading the annotation: a step of prompts has the tokens of its prompts, a decoding step one a request.
TEST_CASE("step annotations: each grammar gives kind, requests, tokens and phase") {
  struct Case {
    std::string_view name;
    StepKind kind;
    std::int64_t context_requests;
    std::int64_t generation_requests;
    std::int64_t context_sum;
    std::int64_t generation_sum;
    std::int64_t batch_size;
    bool has_sqsk;
    StepPhase phase;
  };
  using enum StepKind;
  using enum StepPhase;
  const std::vector<Case> cases = {
      {"execute_7_context_2(sq30sk40sqsq500sqsk600)_generation_3(sq3sk90sqsq3sqsk90)", vllm_detailed, 2, 3, 30, 3, 33,
       true, prefilldecode},
      {"execute_context_2(6144)_generation_3(3)", vllm_native, 2, 3, 6144, 3, 6147, false, prefilldecode},
      {"execute_context_1(5)_generation_2(3)_extra", vllm_native, 1, 2, 5, 3, 8, false, prefilldecode},
      {"execute_context_0(0)_generation_0(0)", vllm_native, 0, 0, 0, 0, 0, false, idle},
      {"execute_context_0(0)_generation_32(32)", vllm_native, 0, 32, 0, 32, 32, false, decode_only},
      {"execute_new_2_cached_30", vllm_requests, 2, 30, 0, 0, 32, false, prefilldecode},
      {"step[EXTEND bs=4 toks=16384]", sglang_native, 4, 0, 16384, 0, 16384, false, prefill_only},
      {"step[EXTEND bs=4]", sglang_native, 4, 0, 0, 0, 4, false, prefill_only},
      {"step[DECODE bs=64]", sglang_native, 0, 64, 0, 64, 64, false, decode_only},
      {"step[decode bs=64]", sglang_native, 0, 64, 0, 64, 64, false, decode_only},
      {"step[TARGET_VERIFY bs=8]", sglang_native, 0, 8, 0, 8, 8, false, decode_only},
      {"step[mixed bs=62 ext=8192 dec=60]", sglang_native, 2, 60, 8192, 60, 8252, false, prefilldecode},
      {"step[IDLE]", sglang_native, 0, 0, 0, 0, 0, false, idle},
      {"step[MIXED bs=5 c=2 g=3 c_sq=6144 c_sk=7144 c_sqsq=20971520 c_sqsk=23019520 g_sq=3 g_sk=6144 g_sqsq=3 "
       "g_sqsk=6144]",
       sglang_detailed, 2, 3, 6144, 3, 6147, true, prefilldecode},
      {"step[DECODE bs=64 g_sq=128 g_sqsq=256 g_sqsk=262144 g_sk=131072]", sglang_detailed, 0, 64, 0, 128, 128, true,
       decode_only},
      {"step[EXTEND bs=2 toks=9 c_sqsq=41]", sglang_detailed, 2, 0, 0, 0, 9, true, prefill_only},
      {"decode[bs=117/128 tok=117 d=117]", atom_native, 0, 117, 0, 117, 117, false, decode_only},
      {"decode[bs=128 tok=384 p=2 d=126 sqsq=132612 sqsk=1114112 sk=258048 tbo=1]", atom_detailed, 2, 126, 0, 384, 384,
       true, prefilldecode},
      {"decode[bs=32 tok=128 sqsq=512]", atom_detailed, 0, 32, 0, 128, 128, false, decode_only},
      {"prefill[bs=2 tok=300 ctx=[100, 200]...+3 sk=400]", atom_native, 2, 0, 300, 0, 300, false, prefill_only},
      {"[Executor] _forward_step 12: 1 ctx reqs, 512 ctx tokens, 31 gen reqs", tensorrt_llm_native, 1, 31, 512, 0, 512,
       false, prefilldecode},
      {"[Executor] _forward_step: 0 ctx reqs, 8 gen reqs", tensorrt_llm_native, 0, 8, 0, 0, 8, false, decode_only},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    const StepAnnotation step = parsed(c.name);
    CHECK(spelling_of(step.kind) == spelling_of(c.kind));
    CHECK(step.context_requests == c.context_requests);
    CHECK(step.generation_requests == c.generation_requests);
    CHECK(step.num_requests == c.context_requests + c.generation_requests);
    CHECK(step.context_sum == c.context_sum);
    CHECK(step.generation_sum == c.generation_sum);
    CHECK(step.batch_size == c.batch_size);
    CHECK(step.has_sqsk == c.has_sqsk);
    CHECK(spelling_of(step.phase) == spelling_of(c.phase));
    CHECK(looks_like_step(c.name));
  }
}

TEST_CASE("step annotations: a mixed step that gives only a sum is mixed, and its requests are not told apart") {
  const StepAnnotation step = parsed("step[MIXED bs=62]");
  CHECK(step.phase == StepPhase::prefilldecode);
  CHECK_FALSE(step.context_requests.has_value());
  CHECK_FALSE(step.generation_requests.has_value());
  CHECK(step.num_requests == 62);
  CHECK(step.batch_size == 62);
}

TEST_CASE("step annotations: aggregates keep their 64 bits") {
  const StepAnnotation step =
      parsed("execute_1_context_2(sq11sk12sqsq13sqsk14)_generation_3(sq15sk16sqsq17sqsk9223372036854775807)");
  CHECK(step.c_sq == 11);
  CHECK(step.c_sk == 12);
  CHECK(step.c_sqsq == 13);
  CHECK(step.c_sqsk == 14);
  CHECK(step.g_sq == 15);
  CHECK(step.g_sk == 16);
  CHECK(step.g_sqsq == 17);
  CHECK(step.g_sqsk == std::numeric_limits<std::int64_t>::max());
  CHECK(step.tier == StepTier::detailed);
}

TEST_CASE("step annotations: ATOM's further fields are kept") {
  const StepAnnotation decode = parsed("decode[bs=8 tok=16 p=1 d=7 spec=2 tbo=1]");
  CHECK(decode.speculative_tokens == 2);
  CHECK(decode.two_batch_overlap);
  const StepAnnotation prefill = parsed("prefill[bs=2 tok=300 ctx=[100, 200]...+3]");
  CHECK(prefill.context_text == "[100, 200]...+3");
}

TEST_CASE("step annotations: diffusion and profiler steps have no phases") {
  const StepAnnotation picture = parsed("execute_diffusion_1_1024x768");
  CHECK(picture.kind == StepKind::diffusion_native);
  CHECK(picture.width == 1024);
  CHECK(picture.height == 768);
  CHECK(picture.batch_size == 1);
  CHECK(picture.num_requests == 1);
  CHECK(picture.phase == StepPhase::unknown);
  const StepAnnotation step = parsed("ProfilerStep#12");
  CHECK(step.step_number == 12);
  CHECK(step.tier == StepTier::profiler);
  CHECK(step.phase == StepPhase::unknown);
}

TEST_CASE("step annotations: names that only begin like a step are refused, and can be listed") {
  for (const std::string_view name :
       {"step[DECODE bs=64 foo=1]", "step[DECODE bs=64", "step[DECODE bs=64x]", "step[DECODE]", "step[DREAM bs=1]",
        "step[DECODE bs=99999999999999999999]", "execute_context_2(6144)_generation_", "decode[bs=1", "ProfilerStep#",
        "execute_context_99999999999999999999(1)_generation_0(0)", "decode[tok=99999999999999999999]",
        "[Executor] _forward_step 12587: 18 gen reqs"}) {
    CAPTURE(name);
    CHECK_FALSE(parse_step_annotation(name).has_value());
    CHECK(looks_like_step(name));
  }
}

TEST_CASE("step annotations: other names are no steps") {
  for (const std::string_view name :
       {"", "step", "execute_model", "execute_command_2", "Optimizer.step#SGD.step", "capture_32_FULL",
        "nccl:all_reduce", "xstep[DECODE bs=1]", "## Call CompiledFxGraph f0 ##"}) {
    CAPTURE(name);
    CHECK_FALSE(parse_step_annotation(name).has_value());
    CHECK_FALSE(looks_like_step(name));
  }
}
}  // namespace kinetoscope::names
