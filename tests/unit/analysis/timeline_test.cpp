#include "core/analysis/timeline.hpp"

#include <algorithm>

#include <doctest/doctest.h>

#include "tests/support/shared_files.hpp"
#include "tests/unit/analysis/random_work.hpp"
#include "tests/unit/analysis/recorded_scene.hpp"

namespace kinetoscope::analysis {
namespace {

void check_identities(const Timeline& timeline) {
  CHECK(timeline.computation_ns + timeline.exposed_communication_ns + timeline.exposed_memcpy_ns == timeline.busy_ns);
  CHECK(timeline.busy_ns + timeline.idle_ns == timeline.total_ns);
  CHECK(timeline.micro_idle_ns + timeline.macro_idle_ns == timeline.idle_ns);
}

constexpr std::int64_t micro_ns = 7;

/// The same figures nanosecond by nanosecond.
Timeline painted_timeline(const Trace& trace, const GpuBuckets& buckets, const std::vector<EventId>& events) {
  const PaintedBucket computation = painted(trace, buckets, events, GpuBucket::computation);
  const PaintedBucket communication = painted(trace, buckets, events, GpuBucket::communication);
  const PaintedBucket copies = painted(trace, buckets, events, GpuBucket::memcpy);
  std::int64_t first_ns = painted_ns;
  std::int64_t last_ns = 0;
  for (const EventId event : events) {
    first_ns = std::min(first_ns, trace.begin_ns(event));
    last_ns = std::max(last_ns, trace.begin_ns(event) + trace.duration_ns(event));
  }
  Timeline out;
  out.events = events.size();
  if (events.empty()) return out;
  out.total_ns = last_ns - first_ns;
  std::int64_t gap_ns = 0;
  const auto close_gap = [&] {
    (gap_ns < micro_ns ? out.micro_idle_ns : out.macro_idle_ns) += gap_ns;
    gap_ns = 0;
  };
  for (std::int64_t now_ns = first_ns; now_ns < last_ns; ++now_ns) {
    const auto at = static_cast<std::size_t>(now_ns);
    const bool computes = computation[at].has_value();
    const bool communicates = communication[at].has_value();
    const bool copies_now = copies[at].has_value();
    out.computation_ns += computes ? 1 : 0;
    out.communication_ns += communicates ? 1 : 0;
    out.memcpy_ns += copies_now ? 1 : 0;
    out.exposed_communication_ns += communicates && !computes ? 1 : 0;
    out.exposed_memcpy_ns += copies_now && !computes && !communicates ? 1 : 0;
    if (computes || communicates || copies_now) {
      ++out.busy_ns;
      close_gap();
    } else {
      ++out.idle_ns;
      ++gap_ns;
    }
  }
  close_gap();
  return out;
}
}  // namespace

TEST_CASE("timeline: what stands in the way of nothing else is exposed, gaps are micro below the threshold") {
  const Trace trace = TestTrace()
                          .stream(7)
                          .kernel("gemm", 10_us, 30_us, 0)
                          .stream(8)
                          .kernel("ncclDevKernel_AllReduce_Sum_f32", 20_us, 50_us, 0)
                          .stream(9)
                          .copy("Memcpy HtoD (Pinned -> Device)", 25_us, 55_us, 0)
                          .kernel("gemm", 58_us, 60_us, 0)
                          .kernel("gemm", 70_us, 70_us, 0)
                          .load();
  const Timeline found = measure_timeline(trace, GpuBuckets(trace), trace.gpu_events(), 5_us);
  CHECK(found.events == 5);
  CHECK(found.computation_ns == 22_us);            // 10-30, 58-60
  CHECK(found.exposed_communication_ns == 20_us);  // 30-50
  CHECK(found.exposed_memcpy_ns == 5_us);          // 50-55
  CHECK(found.busy_ns == 47_us);
  CHECK(found.total_ns == 60_us);       // to the empty kernel at 70
  CHECK(found.micro_idle_ns == 3_us);   // 55-58
  CHECK(found.macro_idle_ns == 10_us);  // 60-70
  CHECK(found.communication_ns == 30_us);
  CHECK(found.memcpy_ns == 30_us);
  // A gap as long as the threshold is macro.
  CHECK(measure_timeline(trace, GpuBuckets(trace), trace.gpu_events(), 3_us).micro_idle_ns == 0);
}

TEST_CASE("timeline: of no work all figures are 0") {
  const Trace trace = TestTrace().op("aten::mm", 0, 5).load();
  CHECK(measure_timeline(trace, GpuBuckets(trace), trace.gpu_events()) == Timeline{});
}

TEST_CASE("timeline: is what painting each nanosecond gives, of a whole trace and of each device") {
  for (std::uint32_t seed = 0; seed < random_traces; ++seed) {
    CAPTURE(seed);
    const Trace trace = random_work(seed);
    const GpuBuckets buckets(trace);
    for (const std::int64_t device : {-1, 0, 1}) {
      std::vector<EventId> events;
      for (const EventId event : trace.gpu_events()) {
        if (device < 0 || trace.streams()[index_of(trace.stream(event))].device == device) events.push_back(event);
      }
      const Timeline found = measure_timeline(trace, buckets, events, micro_ns);
      REQUIRE(found == painted_timeline(trace, buckets, events));
      check_identities(found);
    }
  }
}

TEST_CASE("timeline: its parts add up on every recorded trace, of all devices and of each") {
  for (const std::string& name : shared_trace_names()) {
    CAPTURE(name);
    const Trace& trace = recorded_trace(name);
    const GpuBuckets buckets(trace);
    check_identities(measure_timeline(trace, buckets, trace.gpu_events(), 5'000));
    std::vector<std::vector<EventId>> by_stream(trace.streams().size());
    for (const EventId event : trace.gpu_events()) by_stream[index_of(trace.stream(event))].push_back(event);
    for (const std::vector<EventId>& events : by_stream) {
      check_identities(measure_timeline(trace, buckets, events, 5'000));
    }
  }
}

TEST_CASE("timeline: from the first instant that there is to the last no figure overflows") {
  const Trace trace = TestTrace()
                          .kernel("first", -largest_time_ns, -largest_time_ns + 10, 1)
                          .kernel("last", largest_time_ns - 20, largest_time_ns, 2)
                          .load();
  const Timeline timeline = measure_timeline(trace, GpuBuckets(trace), trace.gpu_events(), 1'000);
  CHECK(timeline.events == 2);
  CHECK(timeline.total_ns == INT64_MAX - 1);  // 2 (2^62 - 1)
  CHECK(timeline.busy_ns == 30);
  CHECK(timeline.idle_ns == INT64_MAX - 31);
  CHECK(timeline.macro_idle_ns == timeline.idle_ns);
}
}  // namespace kinetoscope::analysis
