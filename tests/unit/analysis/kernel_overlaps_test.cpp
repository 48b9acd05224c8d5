#include "core/analysis/kernel_overlaps.hpp"

#include <algorithm>
#include <string>

#include <doctest/doctest.h>

#include "core/analysis/operator_tables.hpp"
#include "tests/support/trace_builder.hpp"
#include "tests/unit/analysis/growth.hpp"
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

/// So many operators, each with a kernel of its own name, size bytes long, on a stream of its own; all run together.
TestTrace all_together(std::int64_t count, std::size_t size = 0) {
  TestTrace trace;
  for (std::int64_t i = 0; i < count; ++i) {
    trace.op("op" + std::to_string(i), i * 10_us, i * 10_us + 5_us);
    trace.launch("cudaLaunchKernel", i * 10_us + 1_us, i * 10_us + 2_us, i + 1);
  }
  for (std::int64_t i = 0; i < count; ++i) {
    trace.stream(i).kernel(std::to_string(i) + std::string(size, 'k'), 1'000'000_us, 1'000'100_us, i + 1);
  }
  return trace;
}

TableScene scene_with_overlap(const TestTrace& trace) {
  TableOptions options;
  options.has_overlap = true;
  return TableScene(trace.load(), options);
}
}  // namespace

TEST_CASE("kernel overlaps: what ran beside a launcher, and for how much of its time") {
  const TableScene scene(two_streams(150_us, 300_us).load());
  const KernelOverlaps found = overlaps_of(scene);
  REQUIRE(found.of(0).size() == 1);
  CHECK(scene.trace->text(found.of(0)[0].name) == "nccl");
  CHECK(stream_number(*scene.trace, found.of(0)[0].first) == 8);
  CHECK(found.names[0].names == 1);
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

TEST_CASE("kernel overlaps: of more pairs than are compared nothing is said but how many") {
  // Five that all run together are ten pairs.
  const TableScene scene(all_together(5).load());
  const Launchers launchers = find_launchers(*scene.input);
  const KernelOverlaps beyond = find_overlaps(*scene.input, launchers, 9);
  CHECK(beyond.not_compared == 1);
  CHECK(beyond.names.empty());
  CHECK(beyond.shares.empty());
  const KernelOverlaps whole = find_overlaps(*scene.input, launchers, 10);
  CHECK(whole.not_compared == 0);
  CHECK(whole.shares == std::vector<double>(5, 1.0));
  CHECK(find_overlaps(*scene.input, launchers, 4).not_compared == 6);
}

TEST_CASE("kernel overlaps: a sheet of more pairs than are compared is empty, and the others are whole") {
  // 4,474 that all run together are 10,006,101 pairs.
  const TableScene scene = scene_with_overlap(all_together(4'474));
  const OperatorTables tables = scene.operators();
  CHECK(tables.limits.overlaps_not_compared == 10'006'101 - most_overlaps_compared);
  CHECK(tables.with_overlap.empty());
  CHECK(tables.unique_arguments.size() == 4'474);
}

TEST_CASE("kernel overlaps: a row names as many kernels as the limit, of more it says their number and share") {
  const auto count = static_cast<std::int64_t>(most_overlapping_names);
  const TableScene scene_within = scene_with_overlap(all_together(count + 1));
  const OperatorTables within = scene_within.operators();
  CHECK(within.limits == OperatorLimits());
  for (const UniqueArgumentsRow& row : within.with_overlap) CHECK(row.overlap.kernels.size() == most_overlapping_names);
  const TableScene scene_beyond = scene_with_overlap(all_together(count + 2));
  const OperatorTables beyond = scene_beyond.operators();
  CHECK(beyond.limits.rows_of_many_names == most_overlapping_names + 2);
  for (const UniqueArgumentsRow& row : beyond.with_overlap) {
    CHECK(row.overlap.kernels.empty());
    CHECK(row.overlap.names == most_overlapping_names + 1);
    CHECK(overlapping_names(row.overlap.kernels).empty());
    CHECK(row.overlap.mean.value_or(0) == 1);
  }
}

TEST_CASE("kernel overlaps: rows of too many names stand apart by all of their names") {
  // Two launchers of one operator, the second beside one kernel less: a row each, though neither is named.
  const auto count = static_cast<std::int64_t>(most_overlapping_names) + 2;
  TestTrace trace;
  for (std::int64_t i = 0; i < 2; ++i) {
    trace.op("aten::mm", i * 10_us, i * 10_us + 5_us);
    trace.launch("cudaLaunchKernel", i * 10_us + 1_us, i * 10_us + 2_us, i + 1);
  }
  for (std::int64_t i = 2; i < count + 2; ++i) {
    trace.op("other", i * 10_us, i * 10_us + 5_us)
        .launch("cudaLaunchKernel", i * 10_us + 1_us, i * 10_us + 2_us, i + 1);
  }
  trace.kernel("gemm", 10'000_us, 10'100_us, 1).kernel("gemm", 10'100_us, 10'200_us, 2);
  for (std::int64_t i = 2; i < count + 2; ++i) {
    trace.stream(100 + i).kernel("k" + std::to_string(i), 10'000_us, i == 2 ? 10'050_us : 10'200_us, i + 1);
  }
  const TableScene scene = scene_with_overlap(trace);
  const OperatorTables tables = scene.operators();
  const auto products = std::ranges::count(tables.with_overlap, "aten::mm", &UniqueArgumentsRow::name);
  CHECK(products == 2);
}

#ifndef KINETOSCOPE_SANITIZED  // 64 MiB of names take 12 s with sanitizers
TEST_CASE("kernel overlaps: what rows say of it is bounded for the sheet, and rows that do not say it are counted") {
  // 65 rows of 64 names of 20,000 bytes, twice each, are more than 64 MiB.
  const auto rows = static_cast<std::int64_t>(most_overlapping_names) + 1;
  const TableScene scene = scene_with_overlap(all_together(rows, 20'000));
  const OperatorTables tables = scene.operators();
  std::size_t bytes = 0;
  std::uint64_t silent = 0;
  for (const UniqueArgumentsRow& row : tables.with_overlap) {
    bytes += overlapping_names(row.overlap.kernels).size() + details_text(row.overlap.kernels).size();
    if (row.overlap.kernels.empty()) ++silent;
    CHECK(row.overlap.names == most_overlapping_names);
  }
  CHECK(bytes < most_overlap_bytes);
  CHECK(bytes > most_overlap_bytes / 2);
  CHECK(silent > 0);
  CHECK(tables.limits.rows_without_overlaps == silent);
  CHECK_FALSE(tables.with_overlap.front().overlap.kernels.empty());
  CHECK(tables.with_overlap.back().overlap.kernels.empty());
}
#endif

TEST_CASE("kernel overlaps: events that all run together take no time that grows with their square") {
  const auto make = [](int count) {
    TestTrace trace;
    for (std::int64_t i = 0; i < count; ++i) {
      trace.op("aten::mm", i * 10, i * 10 + 5).launch("cudaLaunchKernel", i * 10 + 1, i * 10 + 2, i + 1);
    }
    for (std::int64_t i = 0; i < count; ++i) trace.stream(i % 100).kernel("k", 1'000'000 + i, 9'000'000, i + 1);
    return TableScene(trace.load());
  };
  constexpr std::uint64_t most_compared = 100'000;
  const auto work = [](const TableScene& scene) {
    const auto count = scene.trace->gpu_events().size();
    const KernelOverlaps found = find_overlaps(*scene.input, find_launchers(*scene.input), most_compared);
    CHECK(found.not_compared == count * (count - 1) / 2 - most_compared);
  };
  CHECK(growth_of(10'000, make, work) < most_growth);
}

TEST_CASE("kernel overlaps: launches deep inside one another take no time that grows with their depth") {
  const auto make = [](std::int64_t depth) {
    TestTrace trace;
    trace.op("top", 0, depth * 10_us);
    for (std::int64_t i = 1; i <= depth; ++i) trace.launch("cudaLaunchKernel", i, depth * 10_us - i, i);
    for (std::int64_t i = 1; i <= depth; ++i) {
      trace.stream(i % 2).kernel("k", (depth * 20 + i * 2) * 1_us, (depth * 20 + i * 2 + 3) * 1_us, i);
    }
    return scene_with_overlap(trace);
  };
  const auto work = [](const TableScene& scene) { CHECK(scene.operators().with_overlap.size() >= 1); };
  CHECK(growth_of(5'000, make, work) < most_growth);
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
  CHECK(overlapping_names(summary.kernels) == "['add']");
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
