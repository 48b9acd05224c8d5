#include "core/analysis/kernel_overlaps.hpp"

#include <numeric>

#include <doctest/doctest.h>

#include "tests/support/trace_builder.hpp"
#include "tests/unit/analysis/table_scene.hpp"

namespace kinetoscope::analysis {
namespace {

/// An operator whose kernel runs 100 to 200 us on stream 7, and one with a kernel of its own on stream 8.
TestTrace two_streams(std::int64_t begin_ns, std::int64_t end_ns, std::int64_t stream = 8) {
  TestTrace trace;
  trace.op("aten::mm", 0, 10_us).launch("cudaLaunchKernel", 1_us, 2_us, 1);
  trace.op("c10d::all_reduce", 20_us, 30_us).launch("cudaLaunchKernel", 21_us, 22_us, 2);
  trace.kernel("gemm", 100_us, 200_us, 1).stream(stream).kernel("nccl", begin_ns, end_ns, 2);
  return trace;
}

KernelOverlaps overlaps_of(const TableScene& scene) {
  return find_overlaps(*scene.input, find_launchers(*scene.input));
}
}  // namespace

TEST_CASE("kernel overlaps: what ran beside a launcher, and for how much of its time") {
  const TableScene scene(two_streams(150_us, 300_us).load());
  const KernelOverlaps found = overlaps_of(scene);
  REQUIRE(found.of(0).size() == 1);
  CHECK(scene.trace->text(found.of(0)[0].name) == "nccl");
  CHECK(found.of(0)[0].stream == 8);
  CHECK(found.of(0)[0].mean_duration_ns == 150_us);
  CHECK(found.of(0)[0].mean_share == 0.5);  // 50 of 100 us
  CHECK(found.shares[0] == 0.5);
  CHECK(found.not_compared == 0);
}

TEST_CASE("kernel overlaps: exactly a microsecond counts, less does not") {
  CHECK(overlaps_of(TableScene(two_streams(199_us, 300_us).load())).of(0).size() == 1);
  CHECK(overlaps_of(TableScene(two_streams(199'001, 300_us).load())).of(0).empty());
  CHECK(overlaps_of(TableScene(two_streams(200_us, 300_us).load())).of(0).empty());
}

TEST_CASE("kernel overlaps: events of one stream or of one operator do not overlap") {
  CHECK(overlaps_of(TableScene(two_streams(150_us, 300_us, 7).load())).of(0).empty());
  const TableScene one_operator(TestTrace()
                                    .op("aten::mm", 0, 10_us)
                                    .launch("cudaLaunchKernel", 1_us, 2_us, 1)
                                    .launch("cudaLaunchKernel", 3_us, 4_us, 2)
                                    .kernel("a", 100_us, 200_us, 1)
                                    .stream(8)
                                    .kernel("b", 100_us, 200_us, 2)
                                    .load());
  CHECK(overlaps_of(one_operator).of(0).empty());
}

TEST_CASE("kernel overlaps: what is not compared is counted") {
  TestTrace trace;
  for (std::int64_t i = 0; i < 5; ++i) {
    trace.op("aten::mm", i * 10_us, i * 10_us + 5_us).launch("cudaLaunchKernel", i * 10_us, i * 10_us + 1_us, i + 1);
  }
  for (std::int64_t i = 0; i < 5; ++i) trace.stream(i).kernel("k", 100_us + i, 200_us, i + 1);
  const TableScene scene(trace.load());
  // Five that all run together are ten pairs.
  CHECK(find_overlaps(*scene.input, find_launchers(*scene.input), 4).not_compared == 6);
  CHECK(find_overlaps(*scene.input, find_launchers(*scene.input), 10).not_compared == 0);
}

TEST_CASE("kernel overlaps: 20,000 events that all run together take no time that grows with their square") {
  constexpr std::int64_t count = 20'000;
  TestTrace trace;
  for (std::int64_t i = 0; i < count; ++i) {
    trace.op("aten::mm", i * 10, i * 10 + 5).launch("cudaLaunchKernel", i * 10 + 1, i * 10 + 2, i + 1);
  }
  for (std::int64_t i = 0; i < count; ++i) trace.stream(i % 100).kernel("k", 1'000'000 + i, 9'000'000, i + 1);
  const TableScene scene(trace.load());
  const KernelOverlaps found = find_overlaps(*scene.input, find_launchers(*scene.input), 100'000);
  CHECK(found.not_compared == count * (count - 1) / 2 - 100'000);
}

TEST_CASE("kernel overlaps: a row sums up its launchers, and says their names") {
  TestTrace trace;
  for (std::int64_t i = 0; i < 2; ++i) {
    trace.op("aten::mm", i * 10_us, i * 10_us + 5_us).launch("cudaLaunchKernel", i * 10_us, i * 10_us + 1_us, i + 1);
  }
  trace.op("aten::add", 30_us, 35_us).launch("cudaLaunchKernel", 30_us, 31_us, 3);
  trace.kernel("gemm", 100_us, 200_us, 1).kernel("gemm", 200_us, 300_us, 2);
  trace.stream(8).kernel("add", 150_us, 220_us, 3);
  const TableScene scene(trace.load());
  const KernelOverlaps found = overlaps_of(scene);
  const std::vector<std::uint32_t> products = {0, 1};
  const OverlapSummary summary = summarize_overlaps(*scene.trace, found, products);
  CHECK(overlapping_names(summary) == "['add']");
  REQUIRE(summary.kernels.size() == 1);
  CHECK(summary.kernels[0].time.count == 2);
  CHECK(summary.kernels[0].time.sum == 140_us);  // 70 us beside each
  REQUIRE(summary.mean.has_value());
  CHECK(*summary.mean == 0.35);  // 50 and 20 of 100 us
  CHECK(*summary.min == 0.2);
  CHECK(*summary.max == 0.5);
  CHECK(*summary.deviation == 0.21);  // 0.3 / sqrt(2) = 0.2121
}
}  // namespace kinetoscope::analysis
