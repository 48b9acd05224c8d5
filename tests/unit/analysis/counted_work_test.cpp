#include "core/analysis/counted_work.hpp"

#include <array>

#include <doctest/doctest.h>

#include "core/analysis/timeline.hpp"
#include "tests/support/shared_files.hpp"
#include "tests/unit/analysis/random_work.hpp"
#include "tests/unit/analysis/recorded_scene.hpp"

namespace kinetoscope::analysis {
namespace {

std::array<std::int64_t, 3> sums_by_bucket(const GpuBuckets& buckets, std::span<const EventId> events,
                                           const std::vector<std::int64_t>& counted_ns) {
  std::array<std::int64_t, 3> sums{};
  for (std::size_t i = 0; i < events.size(); ++i) {
    sums[static_cast<std::size_t>(buckets.of(events[i]))] += counted_ns[i];
  }
  return sums;
}

void check_sums(const Trace& trace, std::span<const EventId> events) {
  const GpuBuckets buckets(trace);
  const Timeline timeline = measure_timeline(trace, buckets, events);
  const auto sums = sums_by_bucket(buckets, events, counted_times_ns(trace, buckets, events));
  CHECK(sums[static_cast<std::size_t>(GpuBucket::computation)] == timeline.computation_ns);
  CHECK(sums[static_cast<std::size_t>(GpuBucket::communication)] == timeline.exposed_communication_ns);
  CHECK(sums[static_cast<std::size_t>(GpuBucket::memcpy)] == timeline.exposed_memcpy_ns);
}
}  // namespace

TEST_CASE("counted work: an instant belongs to the kernel that began first, after its end to the next") {
  const Trace trace = TestTrace()
                          .kernel("outer", 10, 100, 0)
                          .stream(8)
                          .kernel("within", 20, 50, 0)
                          .stream(9)
                          .kernel("beyond", 30, 130, 0)
                          .kernel("empty", 40, 40, 0)
                          .load();
  const std::vector<std::int64_t> expected = {90, 0, 30, 0};
  CHECK(counted_times_ns(trace, GpuBuckets(trace), trace.gpu_events()) == expected);
}

TEST_CASE("counted work: of kernels that begin together the earlier of those asked about has the time") {
  const Trace trace = TestTrace().kernel("long", 10, 100, 0).stream(8).kernel("short", 10, 50, 0).load();
  const GpuBuckets buckets(trace);
  CHECK(counted_times_ns(trace, buckets, std::array{EventId{0}, EventId{1}}) == std::vector<std::int64_t>{90, 0});
  CHECK(counted_times_ns(trace, buckets, std::array{EventId{1}, EventId{0}}) == std::vector<std::int64_t>{40, 50});
}

TEST_CASE("counted work: communication counts outside computation, copies outside both") {
  const Trace trace = TestTrace()
                          .copy("Memcpy HtoD (Pinned -> Device)", 1, 100, 0)
                          .stream(8)
                          .kernel("ncclDevKernel_AllReduce_Sum_f32", 20, 80, 0)
                          .stream(9)
                          .kernel("gemm", 30, 50, 0)
                          .load();
  // Copy 1-20 and 80-100, all-reduce 20-30 and 50-80, gemm 30-50.
  const std::vector<std::int64_t> expected = {39, 40, 20};
  CHECK(counted_times_ns(trace, GpuBuckets(trace), trace.gpu_events()) == expected);
}

TEST_CASE("counted work: work without usable times counts 0 (F14)") {
  const Trace trace = field_trace("F14_zero_timestamp_kernels.json");
  const std::vector<std::int64_t> counted = counted_times_ns(trace, GpuBuckets(trace), trace.gpu_events());
  REQUIRE(counted.size() == 4);
  for (std::size_t i = 0; i < counted.size(); ++i) {
    if (!trace.extent(trace.gpu_events()[i])) CHECK(counted[i] == 0);
  }
  check_sums(trace, trace.gpu_events());
}

TEST_CASE("counted work: is what painting each nanosecond gives") {
  for (std::uint32_t seed = 0; seed < random_traces; ++seed) {
    CAPTURE(seed);
    const Trace trace = random_work(seed);
    const GpuBuckets buckets(trace);
    const std::vector<EventId> events(trace.gpu_events().begin(), trace.gpu_events().end());
    const PaintedBucket computation = painted(trace, buckets, events, GpuBucket::computation);
    const PaintedBucket communication = painted(trace, buckets, events, GpuBucket::communication);
    const PaintedBucket copies = painted(trace, buckets, events, GpuBucket::memcpy);
    std::vector<std::int64_t> expected(events.size(), 0);
    for (std::size_t at = 0; at < computation.size(); ++at) {
      const auto owner = computation[at] ? computation[at] : communication[at] ? communication[at] : copies[at];
      if (owner) ++expected[*owner];
    }
    REQUIRE(counted_times_ns(trace, buckets, events) == expected);
    check_sums(trace, events);
  }
}

TEST_CASE("counted work: adds up to computation, exposed communication and exposed copies of every recorded trace") {
  for (const std::string& name : shared_trace_names()) {
    CAPTURE(name);
    const Trace& trace = recorded_trace(name);
    check_sums(trace, trace.gpu_events());
  }
}
}  // namespace kinetoscope::analysis
