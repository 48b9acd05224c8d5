#include "core/analysis/kernel_summary.hpp"

#include <memory>

#include <doctest/doctest.h>

#include "core/analysis/kernel_summary_columns.hpp"
#include "core/analysis/timeline.hpp"
#include "tests/support/shared_files.hpp"
#include "tests/unit/analysis/growth.hpp"
#include "tests/unit/analysis/random_work.hpp"
#include "tests/unit/analysis/recorded_scene.hpp"

namespace kinetoscope::analysis {
namespace {

/// Tree, input and rows of a trace; operators' categories are their names.
struct Summarised {
  explicit Summarised(Trace loaded, const TableOptions& options = {})
      : Summarised(TableScene(std::move(loaded), options)) {}
  explicit Summarised(TableScene&& made)
      : scene(std::move(made)),
        trace(*scene.trace),
        tree(*scene.tree),
        buckets(*scene.buckets),
        input(*scene.input),
        total_ns(measure_timeline(trace, buckets, input.events()).total_ns),
        rows(kernel_summary(
            input, [this](NodeId node) { return tree.name(node); }, total_ns)) {}
  Summarised(const Summarised&) = delete;
  Summarised& operator=(const Summarised&) = delete;

  TableScene scene;
  const Trace& trace;
  const CallTree& tree;
  const GpuBuckets& buckets;
  const TableInput& input;
  std::int64_t total_ns;
  std::vector<KernelSummaryRow> rows;
};

void check_sums(const Summarised& found) {
  std::int64_t expected_ns = 0;
  std::uint64_t expected = 0;
  for (const EventId event : found.trace.gpu_events()) {
    if (found.trace.role(event) != Role::kernel) continue;
    expected_ns += timed_ns(found.trace, event);
    ++expected;
  }
  WideSum sum_ns = 0;
  std::uint64_t count = 0;
  for (const KernelSummaryRow& row : found.rows) {
    sum_ns += row.sum_ns.value_or(0);
    count += row.count;
  }
  CHECK(sum_ns == expected_ns);
  CHECK(count == expected);
}
}  // namespace

TEST_CASE("kernel summary: a kernel's parent is the nearest operator, execute too, else its launch") {
  const Summarised found(TestTrace()
                             .op("outer", 0, 100)
                             .op("execute", 10, 50)
                             .launch("cudaLaunchKernel", 20, 40, 1)
                             .launch("cuLaunchKernel", 25, 35, 2)
                             .launch("cudaLaunchKernel", 200, 210, 3)
                             .launch("cudaGraphLaunch", 220, 230, 4)
                             .kernel("first", 100, 190, 1)
                             .kernel("nested", 200, 280, 2)
                             .kernel("bare", 300, 370, 3)
                             .kernel("of_graph", 400, 460, 4)
                             .kernel("lost", 470, 500, 99)
                             .load());
  REQUIRE(found.rows.size() == 5);
  const auto parent = [&](std::size_t row) { return found.rows[row].parent.value_or("(none)"); };
  const auto category = [&](std::size_t row) { return found.rows[row].category.value_or("(none)"); };
  CHECK(found.rows[0].kernel_name == "first");
  CHECK(parent(0) == "execute");
  CHECK(category(0) == "execute");
  CHECK(parent(1) == "execute");  // through the runtime call around its driver call
  CHECK(parent(2) == "cudaLaunchKernel");
  CHECK(category(2) == "runtime");
  CHECK(parent(3) == "cudaGraphLaunch");
  CHECK(category(3) == "graph");
  CHECK(parent(4) == "(none)");
  CHECK(category(4) == "unlinked");
  // 90 of 330 ns of kernels, and of the linked total 100 to 460.
  CHECK(*found.rows[0].percent_of_kernels == doctest::Approx(100 * 90.0 / 330.0));
  CHECK(*found.rows[0].percent_of_total == 25.0);
  CHECK_FALSE(found.rows[4].percent_of_total.has_value());
  CHECK(*found.rows[4].percent_of_kernels == doctest::Approx(100 * 30.0 / 330.0));
}

TEST_CASE("kernel summary: kernels group by category, parent, name and stream, longest sum first, then by key") {
  TestTrace trace;
  trace.op("b", 0, 100).op("a", 200, 300);
  for (int i = 1; i <= 6; ++i) {
    trace.launch("cudaLaunchKernel", (i <= 3 ? 0 : 200) + i * 10, (i <= 3 ? 0 : 200) + i * 10 + 5, i);
  }
  trace.kernel("k", 1'000, 1'010, 1).kernel("k", 1'020, 1'050, 2).stream(8).kernel("k", 1'060, 1'070, 3);
  trace.stream(7).kernel("k", 1'080, 1'090, 4).copy("Memcpy DtoH (Device -> Pinned)", 1'100, 1'200, 5);
  trace.kernel("k", 1'210, 1'210, 6);
  const Summarised found(trace.load());
  REQUIRE(found.rows.size() == 3);
  CHECK(found.rows[0].sum_ns == 40);
  CHECK(found.rows[0].count == 2);
  CHECK(*found.rows[0].mean_ns == 20.0);
  CHECK(*found.rows[0].min_ns == 10);
  CHECK(*found.rows[0].max_ns == 30);
  CHECK(found.rows[1].parent == "a");  // both last have 10 ns
  CHECK(found.rows[1].count == 2);
  CHECK(*found.rows[1].min_ns == 0);
  CHECK(found.rows[2].parent == "b");
  CHECK(found.rows[2].stream == 8);
}

TEST_CASE("kernel summary: asked for, unlinked kernels have a share of the total") {
  const Summarised found(
      TestTrace().launch("cudaLaunchKernel", 1, 2, 1).kernel("k", 100, 190, 1).kernel("lost", 190, 200, 9).load(),
      {.includes_unlinked = true});
  CHECK(*found.rows[1].percent_of_total == 10.0);
}

TEST_CASE("kernel summary: in a trace without any launch kernels have no category, and a share of the total") {
  const Summarised found(TestTrace().op("aten::mm", 0, 5).kernel("k", 100, 190, 1).load());
  REQUIRE(found.rows.size() == 1);
  CHECK_FALSE(found.rows[0].category.has_value());
  CHECK_FALSE(found.rows[0].parent.has_value());
  CHECK(*found.rows[0].percent_of_total == 100.0);
}

TEST_CASE(
    "kernel summary: a kernel whose launch has no start is launched by it all the same, by itself or with a graph") {
  constexpr std::string_view untimed =
      R"({"ph": "X", "cat": "cuda_runtime", "pid": 1, "tid": 1, "ts": 1e300, "dur": 1,)";
  TestTrace trace;
  trace.event(std::string(untimed) + R"("name": "cudaLaunchKernel", "args": {"correlation": 1}})");
  trace.event(std::string(untimed) + R"("name": "cudaGraphLaunch", "args": {"correlation": 2}})");
  trace.kernel("plain", 100, 190, 1).kernel("of_graph", 200, 280, 2).kernel("lost", 300, 350, 9);
  const auto check_launched = [](const Summarised& found) {
    CHECK(found.rows[0].kernel_name == "plain");
    CHECK(found.rows[0].category == "runtime");
    CHECK(found.rows[0].parent == "cudaLaunchKernel");
    CHECK(found.rows[1].kernel_name == "of_graph");
    CHECK(found.rows[1].category == "graph");
    CHECK(found.rows[1].parent == "cudaGraphLaunch");
    CHECK(found.rows[2].kernel_name == "lost");
    CHECK_FALSE(found.rows[2].parent.has_value());
  };
  trace.op("aten::mm", 0, 5);
  const Summarised without_timed(trace.load());
  REQUIRE(without_timed.rows.size() == 3);
  check_launched(without_timed);
  CHECK_FALSE(without_timed.rows[2].category.has_value());  // no launch of the trace has a start
  trace.launch("cudaLaunchKernel", 10, 12, 3).kernel("l", 190, 200, 3);
  const Summarised with_timed(trace.load());
  REQUIRE(with_timed.rows.size() == 4);
  check_launched(with_timed);
  CHECK(with_timed.rows[2].category == "unlinked");
}

TEST_CASE(
    "kernel summary: a kernel without usable times is counted, and a row of such has neither sum nor shares (F14)") {
  const Summarised found(field_trace("F14_zero_timestamp_kernels.json"));
  check_sums(found);
  for (const KernelSummaryRow& row : found.rows) CHECK(row.mean_ns.has_value() == row.sum_ns.has_value());
  const Summarised mixed(TestTrace()
                             .launch("cudaLaunchKernel", 1, 2, 1)
                             .launch("cudaLaunchKernel", 3, 4, 2)
                             .launch("cudaLaunchKernel", 5, 6, 3)
                             .launch("cudaLaunchKernel", 7, 8, 4)
                             .kernel("untimed", 0, 0, 1)
                             .kernel("empty", 100, 100, 2)
                             .kernel("half", 0, 0, 3)
                             .kernel("half", 100, 150, 4)
                             .load());
  REQUIRE(mixed.rows.size() == 3);
  CHECK(mixed.rows[0].sum_ns == WideSum{50});
  CHECK(mixed.rows[0].count == 2);
  CHECK(*mixed.rows[0].mean_ns == 50);
  CHECK(mixed.rows[1].kernel_name == "empty");
  CHECK(mixed.rows[1].sum_ns == WideSum{0});
  const KernelSummaryRow& untimed = mixed.rows[2];
  CHECK(untimed.count == 1);
  CHECK(untimed.sum_ns == Reason::not_recorded);
  CHECK_FALSE(untimed.percent_of_kernels.has_value());
  CHECK_FALSE(untimed.percent_of_total.has_value());
  std::size_t missing = 0;
  for (const auto& column : kernel_summary_columns()) {
    const bool is_figure = column.heading.find("duration") != std::string_view::npos || column.unit == "%";
    if (is_figure && column.cell(untimed) == Cell()) ++missing;
  }
  CHECK(missing == 6);  // sum, mean, min, max and two shares, not the count
}

TEST_CASE("kernel summary: launches deep inside one another find their operator, each node walked once") {
  const auto make = [](std::int64_t depth) {
    TestTrace trace;
    trace.op("top", 0, depth * 10);
    for (std::int64_t i = 1; i <= depth; ++i) trace.launch("cudaLaunchKernel", i, depth * 10 - i, i);
    for (std::int64_t i = 1; i <= depth; ++i) trace.kernel("k", depth * 20 + i, depth * 20 + i + 1, i);
    return std::make_unique<const Summarised>(trace.load());
  };
  const auto work = [](const std::unique_ptr<const Summarised>& found) {
    const auto rows = kernel_summary(
        found->input, [&](NodeId node) { return found->tree.name(node); }, found->total_ns);
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].parent == "top");
    CHECK(rows[0].count == found->trace.gpu_events().size());
  };
  CHECK(growth_of(6'000, make, work) < most_growth);
}

TEST_CASE("kernel summary: a sum beyond 64 bits is right, its mean between shortest and longest, its share below 100") {
  TestTrace trace;
  for (std::int64_t i = 1; i <= 4; ++i) trace.launch("cudaLaunchKernel", i * 10, i * 10 + 1, i);
  for (std::int64_t i = 1; i <= 4; ++i) trace.kernel(i == 4 ? "l" : "k", -5, largest_time_ns - 5, i);
  const Summarised found(trace.load());
  REQUIRE(found.rows.size() == 2);
  CHECK(found.rows[0].sum_ns == WideSum{3} * largest_time_ns);
  CHECK(*found.rows[0].mean_ns == static_cast<double>(*found.rows[0].min_ns));
  CHECK(*found.rows[0].percent_of_kernels == doctest::Approx(75));
  CHECK(*found.rows[0].percent_of_total == 300);  // three at a time
}

TEST_CASE("kernel summary: rows add up to all kernels in scope, on random and on recorded traces") {
  for (std::uint32_t seed = 0; seed < random_traces; ++seed) {
    CAPTURE(seed);
    check_sums(Summarised(random_work(seed)));
  }
  for (const std::string& name : shared_trace_names()) {
    CAPTURE(name);
    check_sums(Summarised(recorded_scene(name)));
  }
}

TEST_CASE("kernel summary: Qwen's unlinked kernels are rows of their own (perf_report 13 row 24)") {
  const Summarised found(recorded_scene("mi300/Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz"));
  std::uint64_t unlinked = 0;
  WideSum unlinked_ns = 0;
  WideSum all_ns = 0;
  for (const KernelSummaryRow& row : found.rows) {
    all_ns += row.sum_ns.value_or(0);
    if (row.category != "unlinked") continue;
    unlinked += row.count;
    unlinked_ns += row.sum_ns.value_or(0);
  }
  CHECK(found.rows.size() == 48);
  CHECK(unlinked == 463);
  CHECK(unlinked_ns == 13'318'864);
  CHECK(all_ns == 43'062'042);
  CHECK(found.rows[0].parent == "aten::mm");  // golden kernel_summary.csv, row 0
  CHECK(found.rows[0].sum_ns == 5'308'273);
  CHECK(*found.rows[0].percent_of_kernels == doctest::Approx(12.327035025417512).epsilon(1e-9));
  CHECK(*found.rows[0].percent_of_total == doctest::Approx(16.02191146302772).epsilon(1e-9));
}

TEST_CASE("kernel summary: a trace without operators groups by kernel, and has no column for parents (row 35)") {
  const Summarised found(recorded_scene("mi210/gpu_only_trace/gpu_only_trace.json.gz"));
  CHECK(found.rows.size() == 45);
  CHECK(found.rows[0].sum_ns == 844'938);
  CHECK(found.rows[0].count == 20);
  for (const KernelSummaryRow& row : found.rows) CHECK(row.category == "runtime");
  CHECK(kernel_summary_columns().size() == 11);
  REQUIRE(kernel_summary_columns_without_operators().size() == 10);
  CHECK(kernel_summary_columns_without_operators()[1].heading == "Kernel name");
}
}  // namespace kinetoscope::analysis
