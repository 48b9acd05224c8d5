#include "core/analysis/stream_number.hpp"

#include <doctest/doctest.h>

#include "core/analysis/collective_summary.hpp"
#include "core/analysis/kernel_summary.hpp"
#include "core/analysis/operator_tables.hpp"
#include "tests/support/trace_builder.hpp"
#include "tests/unit/analysis/table_scene.hpp"

namespace kinetoscope::analysis {
namespace {

constexpr std::string_view moved_from_7 = R"("original_stream": 7)";

/// One operator, four launches: computation and communication, each once on stream 7 and once where a viewer has moved
/// it to lane 1007.
TableScene moved_lanes() {
  TestTrace trace;
  trace.op("op", 0, 100_us);
  for (int i = 1; i <= 4; ++i) trace.launch("cudaLaunchKernel", i * 10_us, i * 10_us + 5_us, i);
  trace.kernel("gemm", 200_us, 210_us, 1).kernel("ncclDevKernel_AllReduce", 300_us, 310_us, 2);
  trace.stream(1007);
  trace.kernel("gemm", 400_us, 410_us, 3, moved_from_7);
  trace.kernel("ncclDevKernel_AllReduce", 500_us, 510_us, 4, moved_from_7);
  return TableScene(trace.load());
}
}  // namespace

TEST_CASE("stream number: a moved lane is the stream it was moved from, in every sheet") {
  const TableScene scene = moved_lanes();
  const auto kernels = kernel_summary(
      *scene.input, [](NodeId) { return "any"; }, 1);
  REQUIRE(kernels.size() == 2);  // one row a name, not one a lane
  for (const KernelSummaryRow& row : kernels) {
    CHECK(row.stream == 7);
    CHECK(row.count == 2);
  }
  const std::vector<CollectiveRow> collectives = collective_summary(*scene.input);
  REQUIRE(collectives.size() == 1);
  CHECK(collectives.front().stream == 7);
  CHECK(collectives.front().operations == 2);
  CHECK(collectives.front().group_name == "all");  // all are on one stream
  const OperatorTables operators = scene.operators();
  REQUIRE(operators.unique_arguments.size() == 1);
  for (const KernelDetail& detail : operators.unique_arguments.front().kernels_run) CHECK(detail.stream == 7);
}

TEST_CASE("stream number: work that names no stream has none, whatever its track is called") {
  const Trace trace = TestTrace()
                          .event(R"({"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 9, "ts": 1, "dur": 1,
                                     "args": {}})")
                          .kernel("l", 10, 20, 0)
                          .load();
  CHECK_FALSE(stream_number(trace, event_named(trace, "k")).has_value());
  CHECK(stream_number(trace, event_named(trace, "l")) == 7);
}

TEST_CASE("stream number: what ran beside a kernel has the same, none where it names none") {
  // "other" stands on the track 9 and says nothing of a stream.
  const TableScene scene(TestTrace()
                             .op("first", 0, 100_us)
                             .launch("cudaLaunchKernel", 10_us, 20_us, 1)
                             .op("second", 110_us, 200_us)
                             .launch("cudaLaunchKernel", 120_us, 130_us, 2)
                             .stream(8)
                             .kernel("own", 300_us, 400_us, 1)
                             .event(R"({"ph": "X", "cat": "kernel", "name": "other", "pid": 0, "tid": 9, "ts": 300,
                                        "dur": 100, "args": {"correlation": 2}})")
                             .load(),
                         {.has_overlap = true});
  const OperatorTables operators = scene.operators();
  REQUIRE(operators.with_overlap.size() == 2);
  for (const UniqueArgumentsRow& row : operators.with_overlap) {
    REQUIRE(row.overlap.kernels.size() == 1);
    const KernelDetail& beside = row.overlap.kernels.front();
    CHECK(beside.name == (row.name == "first" ? "other" : "own"));
    CHECK(beside.stream == (row.name == "first" ? std::optional<std::int64_t>() : 8));
  }
}
}  // namespace kinetoscope::analysis
