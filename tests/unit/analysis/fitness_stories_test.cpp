// Three traces that mislead whoever believes them, told by the generator; expected figures are derived from the
// schedules in examples/generator/stories.cpp.

#include <string>

#include <doctest/doctest.h>

#include "core/analysis/fitness.hpp"
#include "examples/generator/scenarios.hpp"
#include "examples/generator/stories.hpp"
#include "tests/unit/analysis/assessed.hpp"

namespace kinetoscope::analysis {
namespace {

bool advises(const Fitness& fitness, std::string_view framework, std::string_view piece) {
  for (const RecordAdvice& advice : fitness.record) {
    if (advice.framework != framework) continue;
    for (const std::string& line : advice.lines) {
      if (holds(line, piece)) return true;
    }
  }
  return false;
}
}  // namespace

TEST_CASE("fitness story: 40 graph launches with kernels of 29 say no to idle, and bound it from both sides") {
  const examples::Generated story = examples::under_recorded_graphs();
  const Assessed trace = assessed_text(story.text);
  // A replay runs two layers of eight kernels, one after the other: 2 x (2880 + 8320 + 2176 + 11648 + 6144 + 14208 +
  // 2432 + 9984) = 115,584 ns busy. Eleven were lost; as recorded, the time is the schedule's own.
  const std::int64_t replay_ns = 115'584;
  const std::int64_t upper_ns = story.truth.gpu.idle_ns;
  REQUIRE(upper_ns > 11 * replay_ns);

  const Fitness& idle = trace.of(Question::idle);
  CHECK(idle.verdict == Verdict::no);
  CHECK(trace.figure(Question::idle, "graph_launches") == 40);
  CHECK(trace.figure(Question::idle, "graph_launches_with_kernels") == 29);
  CHECK(trace.figure(Question::idle, "idle_upper_ns") == static_cast<double>(upper_ns));
  CHECK(trace.figure(Question::idle, "idle_lower_ns") == static_cast<double>(upper_ns - 11 * replay_ns));
  CHECK(holds(idle.reason, "Of 40 graph launches 29 have recorded kernels: between "));
  CHECK(holds(idle.reason, "as each lost replay may have been as long as the longest recorded replay (115.584 us)."));

  SUBCASE("the HIP version known for it is named, with the version that mends it") {
    CHECK(holds(idle.reason, "HIP 7.2, which is known to lose kernels of graphs."));
    CHECK(advises(idle, "pytorch", "7.2.2 or later"));
  }
  SUBCASE("totals and comparisons suffer, too") {
    CHECK(trace.of(Question::operators).verdict == Verdict::partly);
    CHECK(trace.of(Question::comparison).verdict == Verdict::no);
    CHECK(trace.of(Question::graph_attribution).verdict == Verdict::no);
  }
}

TEST_CASE("fitness story: 32 steps of which two have GPU work are not to be analysed, and why is said") {
  const Assessed trace = assessed_text(examples::dominated_window().text);
  // 1.75 s of 1.75 s and 41,216 ns are 99.9976 %.
  REQUIRE(trace.report.do_not_analyse.has_value());
  CHECK(
      *trace.report.do_not_analyse ==
      "One event, \"fused_moe_kernel\", lasts 1.750 s and is more than 99.9 % of all GPU time. Of 32 steps only 2 have "
      "GPU work.");
  CHECK(trace.figure(Question::idle, "dominating_duration_ns") == 1'750'000'000);
  CHECK(trace.figure(Question::idle, "dominating_share") == doctest::Approx(1'750'000'000.0 / 1'750'041'216.0));
  CHECK(trace.of(Question::idle).verdict == Verdict::no);
  CHECK(trace.of(Question::comparison).verdict == Verdict::no);

  // The eleventh step launched the other kernel; its neighbours launched nothing.
  REQUIRE(trace.report.usable_window.has_value());
  CHECK(trace.report.usable_window->first_step == StepId{10});
  CHECK(trace.report.usable_window->last_step == StepId{10});
}

TEST_CASE("fitness story: annotated graphs on moved lanes are attributed, on physical streams and without overlap") {
  const examples::Generated story = examples::moved_lanes();
  const Assessed trace = assessed_text(story.text);
  REQUIRE(trace.trace->streams().size() == 1);  // two lanes show one hardware stream
  CHECK_FALSE(trace.report.do_not_analyse.has_value());

  const Fitness& graphs = trace.of(Question::graph_attribution);
  CHECK(graphs.verdict == Verdict::yes);
  CHECK(trace.figure(Question::graph_attribution, "graph_launches") == 4);
  CHECK(trace.figure(Question::graph_attribution, "graph_events") == 64);  // 4 steps of 16 kernels
  CHECK(trace.figure(Question::graph_attribution, "annotated_share") == 1);
  CHECK(trace.of(Question::modules).verdict == Verdict::yes);
  CHECK(trace.of(Question::idle).verdict == Verdict::yes);
  CHECK(trace.figure(Question::idle, "idle_ns") == static_cast<double>(story.truth.gpu.idle_ns));
  CHECK(trace.of(Question::comparison).verdict == Verdict::yes);
}

TEST_CASE("fitness story: graphs without annotations are told by kernel names only") {
  examples::TraceOptions options;
  options.steps = 6;
  const Assessed trace = assessed_text(examples::decode_trace(options, {.has_prefill = false}).text);
  CHECK(trace.of(Question::graph_attribution).verdict == Verdict::no);
  CHECK(trace.figure(Question::graph_attribution, "annotated_share") == 0);
  CHECK(trace.of(Question::operators).verdict == Verdict::partly);
  CHECK(holds(trace.of(Question::operators).reason, "was replayed by graph launches"));
  CHECK(trace.of(Question::idle).verdict == Verdict::yes);
  CHECK(advises(trace.of(Question::graph_attribution), "vllm", "\"capture_torch_profiler\": true"));
  CHECK(advises(trace.of(Question::graph_attribution), "sglang", "--enable-profile-cuda-graph"));
}

TEST_CASE("fitness story: a whole training trace answers every question") {
  examples::TraceOptions options;
  options.steps = 6;
  options.stacks = options.modules = options.memory_events = options.collectives = true;
  const Assessed trace = assessed_text(examples::training_trace(options).text);
  for (std::size_t i = 0; i < question_count; ++i) {
    const Fitness& fitness = trace.report.questions[i];
    CAPTURE(spelling_of(static_cast<Question>(i)));
    CAPTURE(fitness.reason);
    CHECK(fitness.verdict == Verdict::yes);
    CHECK(fitness.record.empty());
  }
  CHECK_FALSE(trace.report.do_not_analyse.has_value());
}

TEST_CASE("fitness story: a capture answers nothing about time") {
  const Assessed trace = assessed_text(examples::capture_trace({}).text);
  REQUIRE(trace.report.do_not_analyse.has_value());
  CHECK(holds(*trace.report.do_not_analyse, "captured into a graph, not run"));
  for (const Fitness& fitness : trace.report.questions) CHECK(fitness.verdict == Verdict::no);
  CHECK(trace.figure(Question::operators, "captured_launches") == 16);  // two layers of eight kernels
}
}  // namespace kinetoscope::analysis
