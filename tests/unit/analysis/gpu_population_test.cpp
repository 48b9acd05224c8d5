#include "core/analysis/gpu_population.hpp"

#include <doctest/doctest.h>

#include "examples/generator/small_trace.hpp"
#include "tests/support/loaded_trace.hpp"
#include "tests/support/shared_files.hpp"

namespace kinetoscope::analysis {
namespace {

using examples::SmallTrace;
using examples::us;

GpuPopulation population_of(const Trace& trace) {
  return measure_population(trace, GpuBuckets(trace), trace.gpu_events());
}
}  // namespace

TEST_CASE("gpu population: busy and idle add up to the span, and only hidden communication is hidden (F24)") {
  // field report 42: computation 100, communication 220, exposed 170, busy 270, total 330, idle 60 us.
  const GpuPopulation all = population_of(field_trace("F24_collective_kernel_names.json"));
  CHECK(all.computation_ns == 100'000);
  CHECK(all.communication_ns == 220'000);
  CHECK(all.exposed_communication_ns == 170'000);
  CHECK(all.busy_ns == 270'000);
  CHECK(all.span_ns == 330'000);
  CHECK(all.idle_ns == 60'000);
}

TEST_CASE("gpu population: work without usable times is counted and takes part in no time (F14)") {
  const GpuPopulation all = population_of(field_trace("F14_zero_timestamp_kernels.json"));
  CHECK(all.events == 4);
  CHECK(all.untimed == 2);
  CHECK(all.busy_ns == 70'000);
  CHECK(all.span_ns == 150'000);
  CHECK(all.idle_ns == 80'000);
}

TEST_CASE("gpu population: copies by the runtime and by copy kernels are copies, fills are computation") {
  SmallTrace trace;
  trace.gpu({.name = "Memcpy HtoD (Pinned -> Device)", .start_ns = 0, .duration_ns = 5 * us, .category = "gpu_memcpy"});
  trace.gpu({.name = "__amd_rocclr_copyBuffer", .start_ns = 10 * us, .duration_ns = 7 * us});
  trace.gpu({.name = "Memset (Device)", .start_ns = 20 * us, .duration_ns = 3 * us, .category = "gpu_memset"});
  trace.gpu({.name = "__amd_rocclr_fillBufferAligned", .start_ns = 30 * us, .duration_ns = 2 * us});
  const Trace loaded = trace_of(trace.text());
  const GpuPopulation all = population_of(loaded);
  CHECK(all.memcpy_ns == 12 * us);
  CHECK(all.computation_ns == 5 * us);
  CHECK(all.kernel_sum_ns == 17 * us);
  CHECK(all.busy_ns == 17 * us);
}

TEST_CASE("gpu population: a trace without GPU work has figures of nothing") {
  CHECK(population_of(trace_of(R"({"traceEvents": []})")) == GpuPopulation{});
}

TEST_CASE("gpu population: the greatest durations do not overflow their sum") {
  SmallTrace trace;
  for (int i = 0; i < 4; ++i) {
    trace.gpu({.name = "long", .start_ns = us, .duration_ns = us, .duration = "4611686018427385"});
  }
  const GpuPopulation all = population_of(trace_of(trace.text()));
  CHECK(all.kernel_sum_ns == WideSum{4} * 4'611'686'018'427'385'000);
  CHECK(all.busy_ns == 4'611'686'018'427'385'000);
}
}  // namespace kinetoscope::analysis
