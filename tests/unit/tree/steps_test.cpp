#include "core/tree/steps.hpp"

#include <string>

#include <doctest/doctest.h>

#include "core/tree/diagnostics.hpp"
#include "core/tree/innermost_ranges.hpp"
#include "examples/generator/small_trace.hpp"
#include "tests/support/loaded_trace.hpp"
#include "tests/support/shared_files.hpp"
#include "tests/support/trace_builder.hpp"

namespace kinetoscope {
namespace {

using examples::SmallTrace;
using examples::us;

/// One launch and its kernel, 20 us later on stream 7.
void add_kernel(SmallTrace& trace, std::int64_t launch_us, std::int64_t correlation, std::int64_t duration_us = 10) {
  trace.launch("hipLaunchKernel", launch_us * us, correlation);
  trace.gpu({.name = "kernel_" + std::to_string(correlation),
             .start_ns = (launch_us + 20) * us,
             .duration_ns = duration_us * us,
             .correlation = correlation});
}
}  // namespace

TEST_CASE("innermost ranges: the range that started last has the moment, also where ranges overlap") {
  const InnermostRanges ranges({{0, 100, StepId{0}}, {10, 50, StepId{1}}, {40, 60, StepId{2}}, {0, 5, StepId{3}}});
  CHECK(ranges.at(-1) == no_step);
  CHECK(ranges.at(0) == StepId{3});  // it starts with 0 and is shorter
  CHECK(ranges.at(5) == StepId{0});
  CHECK(ranges.at(45) == StepId{2});
  CHECK(ranges.at(55) == StepId{2});
  CHECK(ranges.at(60) == StepId{0});  // 1 has ended at 50
  CHECK(ranges.at(100) == no_step);
}

TEST_CASE("steps: work belongs to the step that launched it, on whatever thread of its process") {
  SmallTrace trace;
  trace.annotation("ProfilerStep#3", 0, 100 * us).annotation("ProfilerStep#4", 100 * us, 100 * us);
  add_kernel(trace, 90, 1);  // runs at 110 us, in the time of step 4
  trace.thread = 11;
  add_kernel(trace, 150, 2);
  trace.process = 200;
  add_kernel(trace, 160, 3);  // another process has no step
  const Trace loaded = trace_of(trace.text());
  const CallTree tree = CallTree::build(loaded);
  const Steps steps = Steps::find(tree);
  REQUIRE(steps.steps().size() == 2);
  CHECK(steps.step_of(event_named(loaded, "kernel_1")) == StepId{0});
  CHECK(steps.step_of(event_named(loaded, "kernel_2")) == StepId{1});
  CHECK(steps.step_of(event_named(loaded, "kernel_3")) == no_step);
  CHECK(steps.steps()[0].label.step_number == 3);
  CHECK(steps.steps()[1].begin_ns == 100 * us);
}

TEST_CASE("steps: a detailed annotation wins over native ones and over the profiler's own") {
  SmallTrace trace;
  trace.annotation("ProfilerStep#1", 0, 300 * us);
  trace.annotation("execute_8_context_0(sq0sk0sqsq0sqsk0)_generation_8(sq8sk80sqsq8sqsk80)", 10 * us, 100 * us);
  trace.annotation("execute_context_0(0)_generation_8(8)", 20 * us, 80 * us);
  add_kernel(trace, 30, 1);
  const Trace loaded = trace_of(trace.text());
  const Steps steps = Steps::find(CallTree::build(loaded));
  REQUIRE(steps.steps().size() == 1);
  CHECK(steps.steps()[0].label.kind == names::StepKind::vllm_detailed);
  CHECK(steps.steps()[0].gpu_events.size() == 1);
}

TEST_CASE("steps: the innermost of nested steps has the launch") {
  SmallTrace trace;
  trace.annotation("step[DECODE bs=2]", 0, 300 * us).annotation("step[DECODE bs=1]", 50 * us, 100 * us);
  add_kernel(trace, 60, 1);
  add_kernel(trace, 200, 2);
  const Trace loaded = trace_of(trace.text());
  const Steps steps = Steps::find(CallTree::build(loaded));
  CHECK(steps.step_of(event_named(loaded, "kernel_1")) == StepId{1});
  CHECK(steps.step_of(event_named(loaded, "kernel_2")) == StepId{0});
}

TEST_CASE("steps: annotations that look like steps and fit no grammar are listed once and counted") {
  SmallTrace trace;
  trace.annotation("step[WARMUP bs=1]", 0, us)
      .annotation("step[WARMUP bs=1]", 5 * us, us)
      .annotation("main", 9 * us, us);
  const Trace loaded = trace_of(trace.text());
  const Steps steps = Steps::find(CallTree::build(loaded));
  CHECK(steps.steps().empty());
  REQUIRE(steps.unmatched().size() == 1);
  CHECK(loaded.text(steps.unmatched()[0]) == "step[WARMUP bs=1]");
  CHECK(steps.diagnostics().count(tree_diagnostics::step_annotation_unmatched) == 2);
}

TEST_CASE("steps: a step whose end was never seen lasts as long as its process called, and may be cut") {
  SmallTrace trace;
  trace.add(
      R"({"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#7", "pid": 100, "tid": 10, "ts": 0, "dur": -1})");
  add_kernel(trace, 50, 1);
  const Trace loaded = trace_of(trace.text());
  const Steps steps = Steps::find(CallTree::build(loaded));
  REQUIRE(steps.steps().size() == 1);
  CHECK(steps.steps()[0].may_be_cut);
  CHECK(steps.steps()[0].gpu_events.size() == 1);
  CHECK(steps.steps()[0].end_ns >= 50 * us);
}

TEST_CASE("steps: the last of its kind may be cut when it is much shorter than the others") {
  SmallTrace trace;
  for (int i = 0; i < 4; ++i) trace.annotation("step[DECODE bs=4]", 100 * us * i, i == 3 ? 20 * us : 90 * us);
  const Trace loaded = trace_of(trace.text());
  const Steps steps = Steps::find(CallTree::build(loaded));
  REQUIRE(steps.steps().size() == 4);
  CHECK_FALSE(steps.steps()[0].may_be_cut);
  CHECK_FALSE(steps.steps()[2].may_be_cut);
  CHECK(steps.steps()[3].may_be_cut);  // 20 us, less than half of the median 90
}

TEST_CASE("steps: without host annotations a device's own annotations are the steps, over all its streams") {
  SmallTrace trace;
  trace.add(
      R"({"ph": "X", "cat": "gpu_user_annotation", "name": "ProfilerStep#5", "pid": 0, "tid": 7, "ts": 100, "dur": 50})");
  trace.add(
      R"({"ph": "X", "cat": "gpu_user_annotation", "name": "ProfilerStep#5", "pid": 0, "tid": 9, "ts": 120, "dur": 80})");
  trace.gpu({.name = "first", .start_ns = 110 * us, .duration_ns = 10 * us});
  trace.gpu({.name = "second", .start_ns = 190 * us, .duration_ns = 5 * us, .stream = 9});
  trace.gpu({.name = "outside", .start_ns = 300 * us, .duration_ns = 5 * us, .stream = 9});
  const Trace loaded = trace_of(trace.text());
  const Steps steps = Steps::find(CallTree::build(loaded));
  REQUIRE(steps.steps().size() == 1);
  CHECK(steps.steps()[0].begin_ns == 100 * us);
  CHECK(steps.steps()[0].end_ns == 200 * us);
  CHECK(steps.steps()[0].gpu_events.size() == 2);
  CHECK(steps.step_of(event_named(loaded, "outside")) == no_step);
}

TEST_CASE("steps: each of two ranks has its own steps in one file") {
  SmallTrace trace;
  for (const std::int64_t process : {100, 101}) {
    trace.process = process;
    trace.annotation("ProfilerStep#1", 0, 100 * us);
    trace.launch("hipLaunchKernel", 10 * us, process);
    trace.gpu({.name = "kernel_" + std::to_string(process),
               .start_ns = 50 * us,
               .duration_ns = 10 * us,
               .correlation = process,
               .device = process - 100});
  }
  const Trace loaded = trace_of(trace.text());
  const Steps steps = Steps::find(CallTree::build(loaded));
  REQUIRE(steps.steps().size() == 2);
  CHECK(steps.step_of(event_named(loaded, "kernel_100")) == StepId{0});
  CHECK(steps.step_of(event_named(loaded, "kernel_101")) == StepId{1});
}

TEST_CASE("steps: GPU time by launch and by annotation are both known, and a difference is counted (F31)") {
  // field report 30: kernels of 30 and 70 us launched in step 22; its annotation on the device covers the first alone.
  const Trace loaded = field_trace("F31_backward_outside_gpu_annotation.json");
  const Steps steps = Steps::find(CallTree::build(loaded));
  REQUIRE(steps.steps().size() == 1);
  CHECK(steps.steps()[0].gpu_events.size() == 2);
  CHECK(steps.steps()[0].annotated_gpu_time_ns == 30'000);
  CHECK(steps.diagnostics().count(tree_diagnostics::step_annotation_mismatch) == 1);
}

TEST_CASE("steps: SGLang's announcements are four steps (F30)") {
  const Trace loaded = field_trace("F30_sglang_step_annotations.json");
  const Steps steps = Steps::find(CallTree::build(loaded));
  REQUIRE(steps.steps().size() == 4);
  CHECK(steps.steps()[0].label.phase == names::StepPhase::prefill_only);
  CHECK(steps.steps()[0].label.context_requests == 4);
  CHECK(steps.steps()[0].label.context_sum == 16384);
  CHECK(steps.steps()[1].label.phase == names::StepPhase::decode_only);
  CHECK(steps.steps()[2].label.phase == names::StepPhase::prefilldecode);
  CHECK(steps.steps()[3].label.phase == names::StepPhase::idle);
  CHECK(steps.steps()[3].gpu_events.empty());
  CHECK(steps.diagnostics().empty());
}
}  // namespace kinetoscope
