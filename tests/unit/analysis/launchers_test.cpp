#include "core/analysis/launchers.hpp"

#include <random>

#include <doctest/doctest.h>

#include "core/base/interval_set.hpp"
#include "tests/support/shared_files.hpp"
#include "tests/support/trace_builder.hpp"
#include "tests/unit/analysis/growth.hpp"
#include "tests/unit/analysis/recorded_scene.hpp"
#include "tests/unit/analysis/table_scene.hpp"

namespace kinetoscope::analysis {
namespace {

std::vector<std::string> names_of(const TableScene& scene, const Launchers& found) {
  std::vector<std::string> names;
  for (const Launcher& launcher : found.launchers) names.emplace_back(scene.tree->name(launcher.node));
  return names;
}

const Launcher& named(const TableScene& scene, const Launchers& found, std::string_view name) {
  for (const Launcher& launcher : found.launchers) {
    if (scene.tree->name(launcher.node) == name) return launcher;
  }
  FAIL("no such launcher");
  return found.launchers[0];
}

/// What some of these ran, measured one by one.
std::int64_t union_ns(const TableScene& scene, std::span<const EventId> events) {
  std::vector<Interval> intervals;
  for (const EventId event : events) {
    if (!scene.input->contains(event)) continue;
    if (const auto extent = scene.trace->extent(event)) intervals.push_back(*extent);
  }
  return IntervalSet(std::move(intervals)).total_ns();
}

/// computation_time + exposed_memcpy_time of the timeline over the same events.
std::int64_t timeline_ns(const TableScene& scene) {
  std::array<std::vector<Interval>, 3> by_bucket;
  for (const EventId event : scene.input->events()) {
    const auto extent = scene.trace->extent(event);
    if (extent) by_bucket[static_cast<std::size_t>(scene.buckets->of(event))].push_back(*extent);
  }
  const IntervalSet computation(by_bucket[0]);
  const IntervalSet communication(by_bucket[1]);
  const IntervalSet copies(by_bucket[2]);
  return computation.total_ns() + without(without(copies, computation), communication).total_ns();
}

void check_times(const TableScene& scene) {
  const Launchers found = find_launchers(*scene.input);
  std::int64_t counted_ns = found.unowned_counted_ns;
  std::size_t events = found.unowned_events;
  for (const Launcher& launcher : found.launchers) {
    CHECK(launcher.direct_ns == union_ns(scene, found.events_of(launcher)));
    CHECK(launcher.subtree_ns == union_ns(scene, scene.tree->gpu_events(launcher.node)));
    counted_ns += launcher.counted_ns;
    events += launcher.events;
  }
  CHECK(counted_ns == timeline_ns(scene));
  CHECK(events == static_cast<std::size_t>(std::ranges::count_if(scene.input->events(), [&](EventId event) {
          return scene.buckets->of(event) != GpuBucket::communication;
        })));
}

/// Operators at random inside one another, whose launches run at random on three streams.
Trace random_trace(unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&](unsigned limit) { return static_cast<std::int64_t>(random() % limit); };
  TestTrace trace;
  for (std::int64_t call = 0; call < 60; ++call) {
    const std::int64_t begin = call * 100_us;
    const std::int64_t depth = 1 + below(4);
    for (std::int64_t level = 0; level < depth; ++level) {
      trace.op(level % 2 == 0 ? "outer" : "inner", begin + level * 10_us, begin + 100_us - level * 10_us);
      trace.launch("cudaLaunchKernel", begin + level * 10_us + 1_us, begin + level * 10_us + 2_us,
                   10 * call + level + 1);
    }
    for (std::int64_t level = 0; level < depth + 1; ++level) {
      const std::int64_t start = begin + below(300'000);
      const std::int64_t end = start + below(200'000);
      trace.stream(7 + below(3));
      // One more kernel than launches: it has no launch.
      const std::int64_t id = level == depth ? 100'000 + call : 10 * call + level + 1;
      if (below(5) == 0) {
        trace.copy("Memcpy DtoH (Device -> Pageable)", start, end, id);
      } else {
        trace.kernel(below(4) == 0 ? "ncclDevKernel_AllReduce" : "gemm", start, end, id);
      }
    }
  }
  return trace.load();
}
}  // namespace

TEST_CASE("launchers: stand by start, each with its kernels by start, communication apart") {
  const TableScene scene(TestTrace()
                             .op("second", 50_us, 90_us)
                             .launch("cudaLaunchKernel", 51_us, 52_us, 3)
                             .op("first", 0, 40_us)
                             .launch("cudaLaunchKernel", 1_us, 2_us, 1)
                             .launch("cudaLaunchKernel", 3_us, 4_us, 2)
                             .launch("cudaLaunchKernel", 5_us, 6_us, 4)
                             .launch("cudaGraphLaunch", 95_us, 96_us, 5)
                             .kernel("late", 30_us, 40_us, 1)
                             .kernel("early", 10_us, 35_us, 2)
                             .kernel("other", 60_us, 70_us, 3)
                             .kernel("ncclDevKernel_AllReduce", 30_us, 90_us, 4)
                             .kernel("replayed", 100_us, 101_us, 5)
                             .load());
  const Launchers found = find_launchers(*scene.input);
  CHECK(names_of(scene, found) == std::vector<std::string>{"first", "second", "cudaGraphLaunch"});
  const Launcher& first = found.launchers[0];
  REQUIRE(first.events == 2);
  CHECK(scene.trace->name_text(found.events_of(first)[0]) == "early");
  CHECK(scene.trace->name_text(found.events_of(first)[1]) == "late");
  CHECK(first.direct_ns == 30_us);   // 10 to 40
  CHECK(first.subtree_ns == 80_us);  // with the collective, 10 to 90
  CHECK(first.counted_ns == 30_us);
}

TEST_CASE("launchers: a subtree's time holds what its children launched, once") {
  const TableScene scene(TestTrace()
                             .op("outer", 0, 100_us)
                             .launch("cudaLaunchKernel", 1_us, 2_us, 1)
                             .op("inner", 10_us, 50_us)
                             .launch("cudaLaunchKernel", 11_us, 12_us, 2)
                             .kernel("a", 20_us, 40_us, 1)
                             .stream(8)
                             .kernel("b", 30_us, 60_us, 2)
                             .load());
  const Launchers found = find_launchers(*scene.input);
  CHECK(named(scene, found, "outer").direct_ns == 20_us);
  CHECK(named(scene, found, "outer").subtree_ns == 40_us);  // 20 to 60
  CHECK(named(scene, found, "inner").subtree_ns == 30_us);
  CHECK(named(scene, found, "outer").counted_ns == 20_us);
  CHECK(named(scene, found, "inner").counted_ns == 20_us);  // 40 to 60: before, the other was there first
}

TEST_CASE("launchers: unlinked work has none, and is counted apart") {
  TableOptions options;
  options.includes_unlinked = true;
  const TableScene scene(TestTrace()
                             .op("aten::mm", 0, 10_us)
                             .launch("cudaLaunchKernel", 1_us, 2_us, 1)
                             .kernel("mine", 20_us, 30_us, 1)
                             .kernel("nobodys", 25_us, 45_us, 77)
                             .load(),
                         options);
  const Launchers found = find_launchers(*scene.input);
  CHECK(found.launchers.size() == 1);
  CHECK(found.unowned_events == 1);
  CHECK(found.unowned_counted_ns == 15_us);
}

TEST_CASE("launchers: times are those of each subtree measured alone, and add up to the timeline, in random traces") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    check_times(TableScene(random_trace(seed)));
    TableOptions options;
    options.includes_unlinked = true;
    check_times(TableScene(random_trace(seed), options));
  }
}

TEST_CASE("launchers: times are those of each subtree measured alone, and add up to the timeline, in all traces") {
  for (const std::string& name : shared_trace_names()) {
    CAPTURE(name);
    check_times(recorded_scene(name));
  }
}

TEST_CASE("launchers: operators inside one another take no time that grows with their depth") {
  const auto make = [](int depth) {
    TestTrace trace;
    for (std::int64_t i = 0; i < depth; ++i) {
      trace.op("deep", i * 10, 1'000_us * depth - i * 10);
      trace.launch("cudaLaunchKernel", i * 10 + 1, i * 10 + 2, i + 1);
    }
    for (std::int64_t i = 0; i < depth; ++i) trace.kernel("k", 2 * i * 1_us, (2 * i + 1) * 1_us, i + 1);
    return TableScene(trace.load());
  };
  const auto work = [](const TableScene& scene) {
    const auto depth = static_cast<std::int64_t>(scene.trace->gpu_events().size());
    const Launchers found = find_launchers(*scene.input);
    REQUIRE(found.launchers.size() == scene.trace->gpu_events().size());
    CHECK(found.launchers[0].subtree_ns == depth * 1_us);
    CHECK(found.launchers[found.launchers.size() / 2].subtree_ns == depth / 2 * 1_us);
    CHECK(found.launchers.back().subtree_ns == 1_us);
  };
  CHECK(growth_of(6'000, make, work) < most_growth);
}

TEST_CASE("launchers: launches inside one another take no time that grows with their depth") {
  const auto make = [](int depth) {
    TestTrace trace;
    trace.op("top", 0, 1'000_us * depth);
    for (std::int64_t i = 1; i <= depth; ++i) {
      trace.launch("cudaLaunchKernel", i * 10, 1'000_us * depth - i * 10, i);
      trace.kernel("k", 2 * i * 1_us, (2 * i + 1) * 1_us, i);
    }
    return TableScene(trace.load());
  };
  const auto work = [](const TableScene& scene) {
    std::uint64_t events = 0;
    const Launchers found = find_launchers(*scene.input);
    for (const Launcher& launcher : found.launchers) events += launcher.events;
    CHECK(events == scene.trace->gpu_events().size());
  };
  CHECK(growth_of(6'000, make, work) < most_growth);
}

TEST_CASE("launchers: a trace without GPU work has none") {
  const TableScene scene(TestTrace().op("aten::mm", 0, 10_us).load());
  CHECK(find_launchers(*scene.input).launchers.empty());
}
}  // namespace kinetoscope::analysis
