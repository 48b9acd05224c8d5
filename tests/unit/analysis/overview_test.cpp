#include "core/analysis/overview.hpp"

#include <array>
#include <string>

#include <doctest/doctest.h>

#include "core/analysis/common_clock.hpp"
#include "core/analysis/diagnostics.hpp"
#include "examples/generator/small_trace.hpp"
#include "tests/support/loaded_trace.hpp"

namespace kinetoscope::analysis {
namespace {

using examples::SmallTrace;
using examples::us;

Overview overview_of_text(std::string text) {
  const Trace trace = trace_of(std::move(text));
  const CallTree tree = CallTree::build(trace);
  return overview_of(tree, Steps::find(tree));
}

const RecordedFact& fact(const Overview& overview, std::string_view name) {
  const auto found = std::ranges::find(overview.recorded, name, &RecordedFact::name);
  REQUIRE(found != overview.recorded.end());
  return *found;
}
}  // namespace

TEST_CASE("overview: a device that only events know is listed too, and an empty name stays empty") {
  SmallTrace trace;
  trace.header = R"("deviceProperties": [{"id": 0, "name": ""}, {"id": 3, "name": "NVIDIA H100"}])";
  trace.gpu({.name = "k", .start_ns = 0, .duration_ns = 5 * us, .device = 1});
  const Overview overview = overview_of_text(trace.text());
  REQUIRE(overview.devices.size() == 3);
  CHECK(overview.devices[0].properties.name.empty());
  CHECK(overview.devices[1].properties.id == 1);
  CHECK_FALSE(overview.devices[1].is_described);
  CHECK(overview.devices[1].busy_ns == 5 * us);
  CHECK(overview.devices[2].properties.id == 3);
  CHECK(overview.flavour == names::GpuFlavour::cuda);  // no call, no version: by the device's name
}

TEST_CASE("overview: runtime calls say more of the vendor than names of devices") {
  CHECK(overview_of_text(SmallTrace::core().text()).flavour == names::GpuFlavour::hip);
}

TEST_CASE("overview: what was recorded is told by events, and beside it what the header says") {
  SmallTrace trace = SmallTrace::core();
  trace.header += R"(, "record_shapes": 1, "with_stack": 1)";
  const Overview overview = overview_of_text(trace.text());
  CHECK(fact(overview, "correlation").is_seen);
  CHECK(fact(overview, "stacks").header == true);
  CHECK_FALSE(fact(overview, "stacks").is_seen);
  CHECK_FALSE(fact(overview, "memory").header.has_value());
}

TEST_CASE("overview: each distinct name is one piece of evidence for a framework") {
  SmallTrace trace = SmallTrace::core();
  for (int i = 0; i < 5; ++i) trace.op("vllm::unified_attention", (300 + 10 * i) * us, us);
  trace.op("sgl_kernel::rmsnorm", 400 * us, us).op("sgl_kernel::silu", 410 * us, us);
  const Overview overview = overview_of_text(trace.text());
  REQUIRE(overview.frameworks.size() == 2);
  CHECK(overview.frameworks[0] == FrameworkEvidence{names::Framework::sglang, 2});
  CHECK(overview.frameworks[1] == FrameworkEvidence{names::Framework::vllm, 1});
}

TEST_CASE("overview: ranks of a merged file are read from its process names") {
  SmallTrace trace = SmallTrace::core();
  trace.add(
      R"({"ph": "M", "name": "process_name", "pid": 100, "tid": 0, "args": {"name": "[TP01-DP00-PP00-EP00] 100"}})");
  trace.add(
      R"({"ph": "M", "name": "process_name", "pid": 101, "tid": 0, "args": {"name": "[TP00-DP00-PP00-EP00] 101"}})");
  const Overview overview = overview_of_text(trace.text());
  CHECK(overview.ranks.labels == std::vector<std::string>{"TP00-DP00-PP00-EP00", "TP01-DP00-PP00-EP00"});
  CHECK(overview.ranks.launching_processes == 1);
}

TEST_CASE("overview: unlinked work adds up over its causes, and is a share of all durations") {
  SmallTrace trace = SmallTrace::core();  // 80 us, linked
  trace.gpu({.name = "queued", .start_ns = 0, .duration_ns = 20 * us, .correlation = 3, .is_linked = false});
  const Overview overview = overview_of_text(trace.text());
  CHECK(overview.unlinked.events == 1);
  CHECK(overview.unlinked.time_ns == 20 * us);
  CHECK(overview.unlinked.share == 0.2);  // 20 of 100 us
  REQUIRE(overview.unlinked.causes.size() == 1);
  CHECK(overview.unlinked.causes[0] == UnlinkedShare{UnlinkedCause::queued_before_window, 1, 20 * us});
}

TEST_CASE("common clock: bases differ, first starts are absolute and exact") {
  Overview first;
  first.base_time_ns = 1'700'000'000'000'000'000;
  first.first_gpu_event_ns = 150'500;
  Overview second;
  second.base_time_ns = 1'700'000'000'000'070'000;
  const CommonClock clock = common_clock_of(std::array<const Overview*, 2>{&first, &second});
  CHECK(clock.is_aligned);
  CHECK(clock.places[0].first_gpu_event_ns == 1'700'000'000'000'150'500);
  CHECK(clock.places[1].offset_ns == 70'000);
  CHECK_FALSE(clock.places[1].first_gpu_event_ns);  // no GPU work
}

TEST_CASE("common clock: one file without a base, and no times are compared") {
  Overview first;
  first.base_time_ns = 5;
  const Overview second;
  const CommonClock clock = common_clock_of(std::array<const Overview*, 2>{&first, &second});
  CHECK_FALSE(clock.is_aligned);
  CHECK(clock.reason == "1 of 2 files lack baseTimeNanoseconds");
  CHECK_FALSE(clock.places[0].offset_ns);
}

TEST_CASE("common clock: two inputs that claim one rank are both told") {
  Overview first;
  first.ranks.rank = 1;
  Overview second;
  second.ranks.rank = 1;
  Overview third;
  third.ranks.rank = 0;
  const CommonClock clock = common_clock_of(std::array<const Overview*, 3>{&first, &second, &third});
  CHECK(clock.places[0].diagnostics.count(analysis_diagnostics::rank_conflict) == 1);
  CHECK(clock.places[1].diagnostics.count(analysis_diagnostics::rank_conflict) == 1);
  CHECK(clock.places[2].diagnostics.empty());
}

TEST_CASE("common clock: bases at the ends of the number range do not overflow") {
  Overview first;
  first.base_time_ns = INT64_MIN;
  Overview second;
  second.base_time_ns = INT64_MAX;
  second.first_gpu_event_ns = 1;
  const CommonClock clock = common_clock_of(std::array<const Overview*, 2>{&first, &second});
  CHECK_FALSE(clock.places[1].offset_ns);
  CHECK_FALSE(clock.places[1].first_gpu_event_ns);
}
}  // namespace kinetoscope::analysis
