#include "core/analysis/device_runs.hpp"

#include <doctest/doctest.h>

#include "tests/support/trace_builder.hpp"
#include "tests/unit/analysis/table_scene.hpp"

namespace kinetoscope::analysis {
namespace {

DeviceRun run_of(std::uint32_t step, std::uint32_t device, std::int64_t begin_ns, std::int64_t end_ns) {
  return {id_at<StepId>(step), device, {}, {begin_ns, end_ns}};
}
}  // namespace

TEST_CASE("device runs: one a step and device, numbered by device, with work outside of steps last") {
  TestTrace trace;
  trace.stream(7, 5).kernel("a", 10, 20, 0);
  trace.stream(7, 2).kernel("b", 30, 40, 0);
  trace.stream(9, 5).kernel("c", 5, 8, 0).kernel("untimed", 0, 0, 0).kernel("d", 50, 60, 0);
  const TableScene scene(trace.load());
  const auto event = [](std::uint32_t number) { return id_at<EventId>(number); };
  const std::vector<DeviceRun> whole = device_runs(*scene.input, {});
  REQUIRE(whole.size() == 2);
  CHECK(whole[0] == DeviceRun{no_step, 0, {event(1)}, {30, 40}});
  CHECK(whole[1] == DeviceRun{no_step, 1, {event(0), event(2), event(4)}, {5, 60}});
  const std::vector<StepId> step_of = {id_at<StepId>(1), no_step, id_at<StepId>(0), no_step, id_at<StepId>(1)};
  const std::vector<DeviceRun> by_step = device_runs(*scene.input, step_of);
  REQUIRE(by_step.size() == 3);
  CHECK(by_step[0] == DeviceRun{id_at<StepId>(0), 1, {event(2)}, {5, 8}});
  CHECK(by_step[1] == DeviceRun{id_at<StepId>(1), 1, {event(0), event(4)}, {10, 60}});
  CHECK(by_step[2] == DeviceRun{no_step, 0, {event(1)}, {30, 40}});
}

TEST_CASE("device runs: a step takes until the next one begins on its device, where that follows and is later") {
  const std::vector<DeviceRun> runs = {run_of(0, 0, 100, 200), run_of(0, 1, 100, 200), run_of(1, 0, 250, 300),
                                       run_of(1, 1, 150, 300), run_of(3, 0, 900, 950), {no_step, 0, {}, {990, 999}}};
  CHECK(step_time_ns(runs[0], runs) == 150);  // until 250
  CHECK(step_time_ns(runs[1], runs) == 100);  // the next began before its end
  CHECK(step_time_ns(runs[2], runs) == 50);   // step 2 is not among them
  CHECK(step_time_ns(runs[4], runs) == 50);
  CHECK(step_time_ns(runs[5], runs) == 9);  // no step
}
}  // namespace kinetoscope::analysis
