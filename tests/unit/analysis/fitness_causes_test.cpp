// Each cause of a lowered verdict by itself, in a trace of a few events. The core is two aten::mm with shapes, whose
// kernels run at 150-180 and 200-250 us: busy 80, span 100, idle 20 us.

#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/analysis/fitness.hpp"
#include "examples/generator/scenarios.hpp"
#include "examples/generator/small_trace.hpp"
#include "tests/unit/analysis/assessed.hpp"

namespace kinetoscope::analysis {
namespace {

using examples::SmallTrace;
using examples::us;

Assessed assessed(const SmallTrace& trace) { return assessed_text(trace.text()); }

SmallTrace gemms(std::int64_t count) {
  SmallTrace trace;
  for (std::int64_t i = 0; i < count; ++i) {
    trace.mm((100 + 100 * i) * us, 1001 + i,
             {.name = "gemm", .start_ns = (150 + 100 * i) * us, .duration_ns = 50 * us});
  }
  return trace;
}

/// Steps one after the other, each as long as said, with one kernel of half its length.
SmallTrace steps_of(const std::vector<std::int64_t>& lengths_us, std::string_view empty_step = "") {
  SmallTrace trace;
  std::int64_t start_us = 1'000;
  for (std::size_t i = 0; i < lengths_us.size(); ++i) {
    const std::string name = fmt::format("ProfilerStep#{}", i + 5);
    trace.annotation(name, start_us * us, lengths_us[i] * us);
    if (name != empty_step) {
      trace.mm((start_us + 5) * us, 1001 + static_cast<std::int64_t>(i),
               {.name = "gemm", .start_ns = (start_us + 30) * us, .duration_ns = lengths_us[i] * us / 2});
    }
    start_us += lengths_us[i] + 10;
  }
  return trace;
}
}  // namespace

TEST_CASE("fitness: the core answers what was recorded, and names what was not") {
  const Assessed trace = assessed(SmallTrace::core());
  CHECK(trace.of(Question::operators).verdict == Verdict::yes);
  CHECK(trace.of(Question::roofline).verdict == Verdict::yes);
  CHECK(trace.of(Question::idle).verdict == Verdict::yes);
  CHECK(trace.of(Question::idle).reason == "The GPU was idle for 20.000 us, 20.0 % of 100.000 us.");
  CHECK(trace.of(Question::collectives).verdict == Verdict::yes);
  CHECK(trace.of(Question::graph_attribution).verdict == Verdict::yes);
  CHECK(trace.of(Question::modules).verdict == Verdict::no);
  CHECK(trace.of(Question::stacks).verdict == Verdict::no);
  CHECK(trace.of(Question::memory).verdict == Verdict::no);
  CHECK(trace.of(Question::comparison).verdict == Verdict::partly);  // no step is annotated
}

TEST_CASE("fitness: GPU work launched before the window is unlinked by that cause") {
  SmallTrace trace = SmallTrace::core();
  trace.gpu({.name = "earlier", .start_ns = 120 * us, .duration_ns = 20 * us, .correlation = 5, .is_linked = false});
  const Assessed verdicts = assessed(trace);
  // 20 of 100 us.
  CHECK(verdicts.of(Question::operators).verdict == Verdict::partly);
  CHECK(verdicts.of(Question::operators).reason ==
        "Operators are known of 80.0 % of the GPU time: 20.0 % was launched before the recording began.");
  CHECK(verdicts.figure(Question::operators, "unlinked_share_queued_before_window") == doctest::Approx(0.2));
  CHECK(verdicts.figure(Question::operators, "unlinked_time_ns") == 20'000);
  CHECK(verdicts.of(Question::idle).verdict == Verdict::partly);
  CHECK(verdicts.of(Question::comparison).verdict == Verdict::partly);
}

TEST_CASE("fitness: launches without kernels bound the idle time by the longest kernel") {
  SmallTrace trace = gemms(10);  // ten kernels of 50 us, 50 us between them: 450 us idle of 950
  trace.op("aten::mm", 1'200 * us, 20 * us);
  trace.launch(trace.launch_name, 1'205 * us, 2001);
  const Assessed verdicts = assessed(trace);
  CHECK(verdicts.figure(Question::idle, "launches") == 11);
  CHECK(verdicts.figure(Question::idle, "launches_without_kernel") == 1);
  CHECK(verdicts.figure(Question::idle, "idle_upper_ns") == 450'000);
  CHECK(verdicts.figure(Question::idle, "idle_lower_ns") == 400'000);
  CHECK(verdicts.of(Question::idle).verdict == Verdict::no);  // 50 of 950 us are 5.3 %
  CHECK(verdicts.of(Question::operators).verdict == Verdict::partly);
  CHECK(verdicts.of(Question::comparison).verdict == Verdict::no);
}

TEST_CASE("fitness: a graph launch without any recorded replay leaves nothing known to be idle") {
  SmallTrace trace = gemms(4);
  trace.launch("hipGraphLaunch", 900 * us, 2001);
  const Assessed verdicts = assessed(trace);
  CHECK(verdicts.figure(Question::idle, "idle_lower_ns") == 0);
  CHECK(verdicts.of(Question::idle).verdict == Verdict::no);
  CHECK(holds(verdicts.of(Question::idle).reason, "no recorded replay tells how long the lost replays were"));
  CHECK(verdicts.of(Question::graph_attribution).verdict == Verdict::no);
  CHECK(holds(verdicts.of(Question::graph_attribution).reason, "None of 1 graph launch has recorded kernels."));
}

TEST_CASE("fitness: without shapes there is no roofline, without operators no attribution") {
  examples::TraceOptions options;
  options.shapes = false;
  const Assessed shapeless = assessed_text(examples::training_trace(options).text);
  CHECK(shapeless.of(Question::roofline).verdict == Verdict::no);
  CHECK(shapeless.of(Question::operators).verdict == Verdict::yes);

  options.activities = examples::Activities::device;
  const Assessed device_only = assessed_text(examples::training_trace(options).text);
  CHECK(device_only.of(Question::operators).verdict == Verdict::no);
  CHECK(device_only.of(Question::roofline).verdict == Verdict::no);

  options.activities = examples::Activities::host;
  const Assessed host_only = assessed_text(examples::training_trace(options).text);
  for (const Fitness& fitness : host_only.report.questions) CHECK(fitness.verdict == Verdict::no);
  CHECK(holds(host_only.of(Question::operators).reason, "The trace holds no GPU work"));
}

TEST_CASE("fitness: kernels without any launch say when the GPU waited, not why") {
  SmallTrace trace;
  trace.gpu({.name = "gemm", .start_ns = 10 * us, .duration_ns = 30 * us});
  trace.gpu({.name = "gemm", .start_ns = 50 * us, .duration_ns = 30 * us});
  const Assessed verdicts = assessed(trace);
  CHECK(verdicts.of(Question::idle).verdict == Verdict::partly);
  CHECK(verdicts.of(Question::idle).reason == "No launch was recorded: when the GPU waited is known, why is not.");
  CHECK(verdicts.of(Question::operators).verdict == Verdict::no);
}

TEST_CASE("fitness: communication without group or size has times only") {
  SmallTrace trace = SmallTrace::core();
  trace.mm(300 * us, 1003,
           {.name = "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
            .start_ns = 320 * us,
            .duration_ns = 40 * us});
  const Assessed verdicts = assessed(trace);
  CHECK(verdicts.of(Question::collectives).verdict == Verdict::partly);
  CHECK(verdicts.of(Question::collectives).reason ==
        "Of 1 communication kernel 1 has neither group nor size: times are known, bandwidths are not.");
}

TEST_CASE("fitness: lists of ranks written in part leave collectives partly answered") {
  examples::TraceOptions options;
  options.collectives = true;
  CHECK(assessed_text(examples::training_trace(options).text).of(Question::collectives).verdict == Verdict::yes);
  options.features.elided_lists = true;
  const Assessed elided = assessed_text(examples::training_trace(options).text);
  CHECK(elided.of(Question::collectives).verdict == Verdict::partly);
  CHECK(holds(elided.of(Question::collectives).reason, "written in part"));
}

TEST_CASE("fitness: allocations on the host alone do not answer for device memory") {
  SmallTrace trace = SmallTrace::core();
  trace.add(
      R"({"ph": "i", "s": "t", "cat": "cpu_instant_event", "name": "[memory]", "pid": 100, "tid": 10, "ts": 101, )"
      R"("args": {"Addr": 1, "Bytes": 64, "Total Allocated": 64, "Device Type": 0, "Device Id": -1}})");
  const Assessed host = assessed(trace);
  CHECK(host.of(Question::memory).verdict == Verdict::no);
  CHECK(host.of(Question::memory).reason == "1 allocation event is on the host, none on a device.");
  trace.add(
      R"({"ph": "i", "s": "t", "cat": "cpu_instant_event", "name": "[memory]", "pid": 100, "tid": 10, "ts": 102, )"
      R"("args": {"Addr": 2, "Bytes": 64, "Total Allocated": 64, "Device Type": 1, "Device Id": 0}})");
  CHECK(assessed(trace).of(Question::memory).verdict == Verdict::yes);
}

TEST_CASE("fitness: kernels without times are counted against every question about time") {
  SmallTrace trace = SmallTrace::core();
  trace.mm(300 * us, 1003, {.name = "gemm", .start = "0", .duration = "0", .is_timed = false});
  const Assessed verdicts = assessed(trace);
  CHECK(verdicts.figure(Question::idle, "untimed") == 1);
  CHECK(verdicts.of(Question::idle).verdict == Verdict::partly);
  CHECK(verdicts.of(Question::idle).reason == "1 of 3 GPU events have no usable times.");
  CHECK(verdicts.figure(Question::idle, "span_ns") == 100'000);
}

TEST_CASE("fitness: a stray early kernel is told apart from the span of all others") {
  SmallTrace trace = gemms(12);  // from 150 to 1,300 us
  trace.gpu({.name = "stray", .start_ns = -50'000 * us, .duration_ns = 10 * us, .correlation = 5, .is_linked = false});
  const Assessed verdicts = assessed(trace);
  CHECK(verdicts.figure(Question::idle, "stray_events") == 1);
  CHECK(verdicts.figure(Question::idle, "span_without_strays_ns") == 1'150'000);
  CHECK(verdicts.of(Question::idle).verdict == Verdict::partly);
}

TEST_CASE("fitness: a duration that covers later kernels of its stream is no duration") {
  SmallTrace trace = SmallTrace::core();  // 30 and 50 us
  trace.mm(300 * us, 1003, {.name = "flushed", .start_ns = 260 * us, .duration_ns = 900 * us});
  trace.mm(330 * us, 1004, {.name = "gemm", .start_ns = 400 * us, .duration_ns = 10 * us});
  const Assessed verdicts = assessed(trace);
  // 900 of 990 us, and one kernel lies inside.
  REQUIRE(verdicts.report.do_not_analyse.has_value());
  CHECK(holds(*verdicts.report.do_not_analyse, "\"flushed\", lasts 900.000 us and is 90.9 % of all GPU time."));
}

TEST_CASE("fitness: a program that does one long thing is no defect") {
  SmallTrace trace;
  trace.mm(100 * us, 1001, {.name = "gemm", .start_ns = 150 * us, .duration_ns = 300'000 * us});
  CHECK_FALSE(assessed(trace).report.do_not_analyse.has_value());
}

TEST_CASE("fitness: names of foreign events are quoted and cut") {
  SmallTrace trace;
  trace.mm(100 * us, 1001,
           {.name = "evil\x1b[2J\n" + std::string(500, 'x'), .start_ns = 150 * us, .duration_ns = 2'000'000 * us});
  const Assessed verdicts = assessed(trace);
  REQUIRE(verdicts.report.do_not_analyse.has_value());
  CHECK(holds(*verdicts.report.do_not_analyse, "\"evil\\u001b[2J\\nxxx"));
  CHECK(verdicts.report.do_not_analyse->size() < 250);
  CHECK(verdicts.report.do_not_analyse->find('\x1b') == std::string::npos);
}

TEST_CASE("fitness: like steps in a row can be compared, and a slow first one was warming up") {
  const Assessed trace = assessed(steps_of({400, 100, 104, 98, 101}));
  CHECK(trace.of(Question::comparison).verdict == Verdict::yes);
  CHECK(trace.of(Question::comparison).reason == "4 steps in a row are complete and alike. 1 step was warming up.");
  CHECK(trace.figure(Question::comparison, "warm_up_steps") == 1);
  REQUIRE(trace.report.usable_window.has_value());
  CHECK(trace.report.usable_window->first_step == StepId{1});
  CHECK(trace.report.usable_window->last_step == StepId{4});
}

TEST_CASE("fitness: a last step far shorter than the others may be cut, and is not in the window") {
  const Assessed trace = assessed(steps_of({100, 102, 101, 20}));
  CHECK(trace.figure(Question::comparison, "cut_steps") == 1);
  REQUIRE(trace.report.usable_window.has_value());
  CHECK(trace.report.usable_window->last_step == StepId{2});
}

TEST_CASE("fitness: two steps, or steps of ever other length, show no steady state") {
  const Assessed two = assessed(steps_of({100, 100}));
  CHECK(two.of(Question::comparison).verdict == Verdict::partly);
  CHECK(holds(two.of(Question::comparison).reason, "Only 2 steps were recorded"));
  const Assessed unlike = assessed(steps_of({100, 140, 200, 280, 400}));  // a ratio of 1.4 each
  CHECK(unlike.of(Question::comparison).verdict == Verdict::partly);
  CHECK(unlike.figure(Question::comparison, "steady_steps") == 0);
}

TEST_CASE("fitness: a step without GPU work ends a run") {
  const Assessed trace = assessed(steps_of({100, 100, 100, 100, 100, 100, 100}, "ProfilerStep#7"));
  CHECK(trace.figure(Question::comparison, "steps_with_gpu_work") == 6);
  CHECK(trace.figure(Question::comparison, "steady_steps") == 4);
  REQUIRE(trace.report.usable_window.has_value());
  CHECK(trace.report.usable_window->first_step == StepId{3});
}

TEST_CASE("fitness: a file that ends early answers nothing wholly") {
  std::string text = SmallTrace::core().text();
  text.resize(text.size() - 40);
  const Assessed trace = assessed_text(text);
  REQUIRE(trace.trace->partial().has_value());
  CHECK(trace.of(Question::operators).verdict == Verdict::partly);
  CHECK(trace.of(Question::idle).verdict == Verdict::partly);
  CHECK(trace.of(Question::collectives).verdict == Verdict::partly);
  CHECK(holds(trace.of(Question::idle).reason, "The file ends early or is damaged"));
}

TEST_CASE("fitness: sampled counters make rates and comparisons doubtful") {
  examples::TraceOptions options;
  options.steps = 6;
  options.features.counters = true;
  const Assessed trace = assessed_text(examples::training_trace(options).text);
  CHECK(trace.of(Question::roofline).verdict == Verdict::partly);
  CHECK(trace.of(Question::comparison).verdict == Verdict::partly);
  CHECK(holds(trace.of(Question::comparison).reason, "which locks clocks"));
}

TEST_CASE("fitness: merged ranks are counted as devices and processes") {
  examples::TraceOptions options;
  options.ranks = 2;
  options.steps = 6;
  const Assessed trace = assessed_text(examples::training_trace(options).text);
  CHECK(trace.figure(Question::idle, "devices") == 2);
  CHECK(holds(trace.of(Question::idle).reason, "Idle means that none of 2 devices ran."));
}

TEST_CASE("fitness: annotations of some graph kernels answer for their share") {
  SmallTrace trace;
  trace.launch("hipGraphLaunch", 100 * us, 1001);
  trace.gpu({.name = "gemm",
             .start_ns = 150 * us,
             .duration_ns = 30 * us,
             .correlation = 1001,
             .more_args = R"(, "module_fqn": "layers.0.mlp")"});
  trace.gpu({.name = "norm", .start_ns = 190 * us, .duration_ns = 10 * us, .correlation = 1001});
  const Assessed verdicts = assessed(trace);
  CHECK(verdicts.of(Question::graph_attribution).verdict == Verdict::partly);
  CHECK(verdicts.figure(Question::graph_attribution, "annotated_share") == doctest::Approx(0.75));  // 30 of 40 us
}
}  // namespace kinetoscope::analysis
