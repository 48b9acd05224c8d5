#include "core/analysis/suspect_durations.hpp"

#include <doctest/doctest.h>

#include "examples/generator/small_trace.hpp"
#include "tests/support/loaded_trace.hpp"
#include "tests/support/shared_files.hpp"

namespace kinetoscope::analysis {
namespace {

using examples::SmallTrace;
using examples::us;

std::vector<SuspectDuration> suspects_of(SmallTrace& trace) {
  const Trace loaded = trace_of(trace.text());
  return find_suspect_durations(CallTree::build(loaded));
}
}  // namespace

TEST_CASE("suspect durations: a kernel over later ones of its stream is flagged and clipped in an estimate (F16)") {
  // field report 24: raw busy 1,600,000 us without idle; clipped busy 160, total 180, idle 20 us; three kernels inside.
  const Trace trace = field_trace("F16_duration_overflows_siblings.json");
  const CallTree tree = CallTree::build(trace);
  const std::vector<SuspectDuration> suspects = find_suspect_durations(tree);
  REQUIRE(suspects.size() == 1);
  CHECK(suspects[0].event == trace.gpu_events()[0]);
  CHECK(suspects[0].clipped_end_ns == 200'000);
  CHECK(suspects[0].covered == 3);
  const GpuBuckets buckets(trace);
  const GpuPopulation raw = measure_population(trace, buckets, trace.gpu_events());
  CHECK(raw.busy_ns == 1'600'000'000);
  CHECK(raw.idle_ns == 0);
  const GpuPopulation clipped = measure_clipped(trace, buckets, trace.gpu_events(), suspects);
  CHECK(clipped.busy_ns == 160'000);
  CHECK(clipped.span_ns == 180'000);
  CHECK(clipped.idle_ns == 20'000);
}

TEST_CASE("suspect durations: work of other streams, partial overlap and touching work are no reason") {
  SmallTrace trace;
  trace.gpu({.name = "long", .start_ns = 0, .duration_ns = 100 * us});
  trace.gpu({.name = "other stream", .start_ns = 10 * us, .duration_ns = 10 * us, .stream = 8});
  trace.gpu({.name = "overlapping", .start_ns = 90 * us, .duration_ns = 20 * us});
  trace.gpu({.name = "touching", .start_ns = 110 * us, .duration_ns = 20 * us});
  CHECK(suspects_of(trace).empty());
}

TEST_CASE("suspect durations: what starts together does not cover one another") {
  SmallTrace trace;
  trace.gpu({.name = "one", .start_ns = 0, .duration_ns = 100 * us});
  trace.gpu({.name = "two", .start_ns = 0, .duration_ns = 50 * us});
  CHECK(suspects_of(trace).empty());
}

TEST_CASE("suspect durations: suspects inside suspects count each for themselves") {
  SmallTrace trace;
  trace.gpu({.name = "outer", .start_ns = 0, .duration_ns = 100 * us});
  trace.gpu({.name = "inner", .start_ns = 10 * us, .duration_ns = 50 * us});
  trace.gpu({.name = "last", .start_ns = 20 * us, .duration_ns = 5 * us});
  const std::vector<SuspectDuration> suspects = suspects_of(trace);
  REQUIRE(suspects.size() == 2);
  CHECK(suspects[0].covered == 2);
  CHECK(suspects[0].clipped_end_ns == 10 * us);
  CHECK(suspects[1].covered == 1);
  CHECK(suspects[1].clipped_end_ns == 20 * us);
}

TEST_CASE("suspect durations: branches of one replayed graph may run at the same time") {
  SmallTrace trace;
  trace.launch("hipGraphLaunch", 0, 1);
  trace.gpu({.name = "branch", .start_ns = 10 * us, .duration_ns = 100 * us, .correlation = 1});
  trace.gpu({.name = "other branch", .start_ns = 20 * us, .duration_ns = 5 * us, .correlation = 1});
  CHECK(suspects_of(trace).empty());
}
}  // namespace kinetoscope::analysis
