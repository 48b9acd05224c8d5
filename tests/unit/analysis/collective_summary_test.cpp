#include "core/analysis/collective_summary.hpp"

#include <doctest/doctest.h>

#include "core/analysis/collective_summary_columns.hpp"
#include "tests/support/shared_files.hpp"
#include "tests/unit/analysis/random_work.hpp"
#include "tests/unit/analysis/recorded_scene.hpp"

namespace kinetoscope::analysis {
namespace {

struct Analysed {
  explicit Analysed(Trace loaded, const TableOptions& options = {})
      : Analysed(TableScene(std::move(loaded), options)) {}
  explicit Analysed(TableScene&& made)
      : scene(std::move(made)),
        trace(*scene.trace),
        tree(*scene.tree),
        buckets(*scene.buckets),
        input(*scene.input),
        rows(collective_summary(input)) {}
  Analysed(const Analysed&) = delete;
  Analysed& operator=(const Analysed&) = delete;

  TableScene scene;
  const Trace& trace;
  const CallTree& tree;
  const GpuBuckets& buckets;
  const TableInput& input;
  std::vector<CollectiveRow> rows;
};

Cell cell(const CollectiveRow& row, std::string_view heading) {
  for (const Column<CollectiveRow>& column : collective_summary_columns()) {
    if (column.heading == heading) return column.cell(row);
  }
  return "no such column";
}

void check_sums(const Analysed& found) {
  std::int64_t expected_ns = 0;
  std::uint64_t expected = 0;
  for (const EventId event : found.input.events()) {
    const bool communicates = found.buckets.of(event) == GpuBucket::communication;
    if (!communicates || found.trace.role(event) != Role::kernel) continue;
    expected_ns += timed_ns(found.trace, event);
    ++expected;
  }
  WideSum sum_ns = 0;
  std::uint64_t operations = 0;
  for (const CollectiveRow& row : found.rows) {
    sum_ns += row.durations_ns.sum;
    operations += row.operations;
  }
  CHECK(sum_ns == expected_ns);
  CHECK(operations == expected);
}

constexpr std::string_view all_reduce = R"("Collective name": "allreduce", "Process Group Name": "3", "dtype": "Float",
  "In msg nelems": 1048576, "Out msg nelems": 524288, "Group size": 8, "stream": 7)";
}  // namespace

TEST_CASE("collectives: kernels of one message are one row, and a missing key is a key") {
  TestTrace trace;
  for (std::int64_t i = 1; i <= 4; ++i) trace.launch("cudaLaunchKernel", i * 10, i * 10 + 5, i);
  trace.kernel("ncclDevKernel_AllReduce_Sum_f32", 1'000, 2'000, 1, all_reduce);
  trace.kernel("ncclDevKernel_AllReduce_Sum_f32", 3'000, 5'000, 2, all_reduce);
  trace.kernel("void vllm::cross_device_reduce_1stage<half, 2>(RankData*)", 6'000, 6'500, 3);
  trace.kernel("gemm", 7'000, 9'000, 4).kernel("ncclDevKernel_Generic", 9'000, 9'900, 99);
  const Analysed found(trace.load());
  REQUIRE(found.rows.size() == 2);
  const CollectiveRow& messages = found.rows[0];
  CHECK(messages.group_name == "3");
  CHECK(messages.operations == 2);
  CHECK(cell(messages, "In msg size (MB)_first") == Cell(4.0));
  CHECK(cell(messages, "Out msg size (MB)_first") == Cell(2.0));
  CHECK(cell(messages, "dur_sum") == Cell(3.0));
  CHECK(std::get<double>(cell(messages, "dur_std")) == doctest::Approx(0.70710678));  // of 1 and 2 us
  const CollectiveRow& custom = found.rows[1];
  CHECK(custom.group_name == "Unknown_Group");
  CHECK(custom.collective_name == "allreduce");
  CHECK_FALSE(custom.data_type.has_value());
  CHECK(cell(custom, "In msg size (MB)_first") == Cell());
  CHECK(cell(custom, "dur_std") == Cell());
  CHECK(cell(custom, "dur_mean") == Cell(0.5));
  check_sums(found);
}

TEST_CASE("collectives: where no kernel says its group, all on one stream are of one group") {
  TestTrace one;
  one.launch("cudaLaunchKernel", 10, 15, 1).launch("cudaLaunchKernel", 20, 25, 2);
  one.kernel("ncclDevKernel_AllGather", 1'000, 2'000, 1).kernel("ncclDevKernel_Generic", 3'000, 4'000, 2);
  TestTrace two = one;
  const Analysed on_one(one.load());
  REQUIRE(on_one.rows.size() == 2);
  CHECK(on_one.rows[0].group_name == "all");
  CHECK(on_one.rows[0].collective_name == "all_gather");
  CHECK_FALSE(on_one.rows[1].collective_name.has_value());
  two.launch("cudaLaunchKernel", 30, 35, 3).stream(9).kernel("ncclDevKernel_Generic", 5'000, 5'500, 3);
  const Analysed on_two(two.load());
  REQUIRE(on_two.rows.size() == 3);
  CHECK(on_two.rows[0].group_name == "Unknown_Group");
}

TEST_CASE("collectives: a data type that nobody knows has no message size") {
  const Analysed found(
      TestTrace()
          .launch("cudaLaunchKernel", 10, 15, 1)
          .kernel("ncclDevKernel_AllReduce_Sum_f32", 1'000, 2'000, 1, R"("dtype": "Quaternion", "In msg nelems": 8)")
          .load());
  REQUIRE(found.rows.size() == 1);
  CHECK(found.rows[0].in_elements == 8);
  CHECK(cell(found.rows[0], "In msg size (MB)_first") == Cell());
}

TEST_CASE("collectives: rows add up to all communication kernels, on random and on recorded traces") {
  for (std::uint32_t seed = 0; seed < random_traces; ++seed) {
    CAPTURE(seed);
    check_sums(Analysed(random_work(seed)));
  }
  for (const std::string& name : shared_trace_names()) {
    CAPTURE(name);
    check_sums(Analysed(recorded_scene(name)));
  }
}

TEST_CASE("collectives: ResNet's are the golden's (perf_report 13 row 44, golden coll_analysis.csv)") {
  const Analysed found(recorded_scene("mi300/resnet_act_checkpoint.json.gz"));
  REQUIRE(found.rows.size() == 4);
  const CollectiveRow& first = found.rows[0];
  CHECK(first.rank == 0);
  CHECK(first.group_name == "0");
  CHECK(first.group_ranks == "[0, 1, 2, 3, 4, 5, 6, 7]");
  CHECK(first.collective_name == "allreduce");
  CHECK(first.group_size == 8);
  CHECK(first.data_type == "BFloat16");
  CHECK(first.in_elements == 8'816'192);
  CHECK(first.in_split_size == "[]");
  CHECK(first.stream == 4);
  CHECK(cell(first, "In msg size (MB)_first") == Cell(16.8155517578125));
  CHECK(cell(first, "dur_sum") == Cell(26798.24));
  CHECK(std::get<double>(cell(first, "dur_std")) == doctest::Approx(276.099019776118).epsilon(1e-9));
  CHECK(first.operations == 3);
  CHECK(found.rows[3].data_type == "Long");
  // 14.6: five more without metadata, 24.3 ms, have no launch; asked for, they are a row.
  const Analysed all(shared_trace("mi300/resnet_act_checkpoint.json.gz"), {.includes_unlinked = true});
  REQUIRE(all.rows.size() == 5);
  CHECK(all.rows[1].operations == 5);
  CHECK(all.rows[1].durations_ns.sum == 24'316'213);
  CHECK(all.rows[1].group_name == "Unknown_Group");
}
}  // namespace kinetoscope::analysis
