// The advice on recording is complete, and put together as a user would type it.

#include "core/analysis/record_advice.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace kinetoscope::analysis {
namespace {

const std::vector<std::string>& lines_of(const std::vector<RecordAdvice>& advice, std::string_view framework) {
  const auto found = std::ranges::find(advice, framework, &RecordAdvice::framework);
  REQUIRE(found != advice.end());
  return found->lines;
}

bool has_open_slot(const std::string& line) {
  for (const std::string_view slot : {"{options}", "{server}", "{environment}", "{older}", "{export}"}) {
    if (line.find(slot) != std::string::npos) return true;
  }
  return false;
}
}  // namespace

TEST_CASE("record advice: each need alone has lines for all five frameworks") {
  for (const auto& need : record_needs) {
    CAPTURE(need.spelling);
    const std::array only = {need.value};
    const std::vector<RecordAdvice> advice = record_advice(only);
    std::vector<std::string> frameworks;
    for (const RecordAdvice& one : advice) {
      frameworks.push_back(one.framework);
      CHECK_FALSE(one.lines.empty());
      for (const std::string& line : one.lines) CHECK_FALSE(line.empty());
    }
    CHECK(frameworks == std::vector<std::string>{"pytorch", "vllm", "sglang", "tensorrt_llm", "megatron"});
  }
}

TEST_CASE("record advice: each need changes each framework's lines") {
  const std::vector<RecordAdvice> steps = record_advice(std::array{RecordNeed::more_steps});
  for (const auto& need : record_needs) {
    if (need.value == RecordNeed::more_steps) continue;
    const std::vector<RecordAdvice> both = record_advice(std::array{RecordNeed::more_steps, need.value});
    for (std::size_t i = 0; i < both.size(); ++i) {
      CAPTURE(need.spelling);
      CAPTURE(both[i].framework);
      CHECK(both[i].lines != steps[i].lines);
    }
  }
}

TEST_CASE("record advice: nothing is needed, nothing is said") { CHECK(record_advice({}).empty()); }

TEST_CASE("record advice: needs share one command, whatever their order and number") {
  const std::vector<RecordAdvice> advice =
      record_advice(std::array{RecordNeed::stacks, RecordNeed::shapes, RecordNeed::modules, RecordNeed::shapes});
  CHECK(advice == record_advice(std::array{RecordNeed::shapes, RecordNeed::stacks, RecordNeed::modules}));
  // Modules come with the stacks, so with_stack stands once; the options are those of torch.profiler.profile.
  CHECK(lines_of(advice, "pytorch")[1] ==
        "with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA], schedule=schedule(wait=5, warmup=3, "
        "active=5, repeat=1), on_trace_ready=lambda p: p.export_chrome_trace(\"trace.json.gz\"), record_shapes=True, "
        "with_stack=True) as prof:");
  CHECK(lines_of(advice, "vllm")[0] ==
        "vllm serve MODEL --profiler-config '{\"profiler\": \"torch\", \"torch_profiler_dir\": \"/absolute/path\", "
        "\"ignore_frontend\": true, \"delay_iterations\": 20, \"max_iterations\": 10, "
        "\"torch_profiler_record_shapes\": true, \"torch_profiler_with_stack\": true}'");
  CHECK(lines_of(advice, "sglang")[1] ==
        "curl -X POST http://localhost:30000/start_profile -H 'Content-Type: application/json' -d '{\"activities\": "
        "[\"CPU\", \"GPU\"], \"num_steps\": 10, \"record_shapes\": true, \"with_stack\": true}'");
  const std::string& megatron = lines_of(advice, "megatron")[0];
  CHECK(megatron.find("--profile-ranks 0 --pytorch-profiler-collect-shapes --pytorch-profiler-collect-callstack") !=
        std::string::npos);
}

TEST_CASE("record advice: no slot is left open") {
  std::vector<RecordNeed> all;
  for (const auto& need : record_needs) all.push_back(need.value);
  for (const std::vector<RecordAdvice>& advice :
       {record_advice(all), record_advice(std::array{RecordNeed::rocm_fix})}) {
    for (const RecordAdvice& one : advice) {
      for (const std::string& line : one.lines) CHECK_MESSAGE(!has_open_slot(line), line);
    }
  }
}
}  // namespace kinetoscope::analysis
