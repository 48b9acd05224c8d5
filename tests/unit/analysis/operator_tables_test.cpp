#include "core/analysis/operator_tables.hpp"

#include <algorithm>
#include <set>
#include <string>

#include <doctest/doctest.h>

#include "core/analysis/operator_columns.hpp"
#include "tests/support/shared_files.hpp"
#include "tests/support/trace_builder.hpp"
#include "tests/unit/analysis/recorded_scene.hpp"
#include "tests/unit/analysis/table_scene.hpp"

namespace kinetoscope::analysis {
namespace {

/// Three products of two shapes and an addition, launched from a module.
TestTrace products() {
  constexpr std::string_view small = R"("Input Dims": [[2, 4], [4, 8]], "Concrete Inputs": ["", ""])";
  constexpr std::string_view spaced = R"("Input Dims": [[2,4],[4,8]], "Concrete Inputs": ["", ""])";
  constexpr std::string_view large = R"("Input Dims": [[4096, 4096], [4096, 4096]])";
  TestTrace trace;
  trace.frame("nn.Module: Linear_0", 0, 45_us);
  trace.op("aten::mm", 1_us, 5_us, small).launch("cudaLaunchKernel", 2_us, 3_us, 1);
  trace.op("aten::mm", 11_us, 15_us, large).launch("cudaLaunchKernel", 12_us, 13_us, 2);
  trace.frame("nn.Module: Linear_1", 50_us, 95_us);
  trace.op("aten::mm", 51_us, 55_us, spaced).launch("cudaLaunchKernel", 52_us, 53_us, 3);
  trace.op("aten::add", 100_us, 105_us).launch("cudaLaunchKernel", 102_us, 103_us, 4);
  trace.kernel("gemm", 200_us, 210_us, 1).kernel("gemm", 210_us, 240_us, 2).kernel("gemm", 240_us, 252_us, 3);
  trace.kernel("add", 252_us, 260_us, 4);
  return trace;
}

template <typename Row>
std::vector<std::string> headings(std::span<const Column<Row>> columns, const TableOptions& options) {
  std::vector<std::string> out;
  for (const Column<Row>& column : wanted_columns<Row>(columns, options)) out.emplace_back(column.heading);
  return out;
}

template <typename Row>
void check_columns(std::span<const Column<Row>> columns) {
  std::set<std::string_view> seen;
  for (const Column<Row>& column : columns) {
    CAPTURE(column.heading);
    const bool has_cell = column.cell != nullptr;
    CHECK(has_cell);
    CHECK(column.meaning.ends_with("."));
    CHECK(seen.insert(column.heading).second);
  }
}

/// What the rows of a sheet count.
template <typename Row>
std::int64_t counted_ns(const std::vector<Row>& rows) {
  std::int64_t sum = 0;
  for (const Row& row : rows) sum += row.totals.counted_ns;
  return sum;
}

const OperatorRow& named(const OperatorTables& tables, std::string_view name, bool is_recompute = false) {
  for (const OperatorRow& row : tables.summary) {
    if (row.name == name && row.is_recompute == is_recompute) return row;
  }
  FAIL("no such row");
  return tables.summary.front();
}

const CategoryRow& category(const OperatorTables& tables, std::string_view name) {
  for (const CategoryRow& row : tables.by_category) {
    if (row.category == name) return row;
  }
  FAIL("no such row");
  return tables.by_category.front();
}
}  // namespace

TEST_CASE("operator tables: rows of the three sheets, sorted by time, with their shares") {
  const TableScene scene(products().load());
  const OperatorTables tables = scene.operators();
  REQUIRE(tables.by_category.size() == 2);
  CHECK(tables.by_category[0].category == "GEMM");
  CHECK(tables.by_category[0].totals.launchers == 3);
  CHECK(tables.by_category[0].totals.direct_ns == 52_us);
  CHECK(*tables.by_category[0].totals.percentage == doctest::Approx(100 * 52 / 60.0));
  CHECK(*tables.by_category[1].totals.cumulative_percentage == 100);
  REQUIRE(tables.summary.size() == 2);
  CHECK(tables.summary[0].name == "aten::mm");
  CHECK(tables.summary[0].categories == std::vector<std::string_view>{"GEMM"});
  // Arguments that are printed the same are the same, however the file spaces them.
  REQUIRE(tables.unique_arguments.size() == 3);
  CHECK(tables.unique_arguments[0].input_dims == "((4096, 4096), (4096, 4096))");
  CHECK_FALSE(tables.unique_arguments[0].concrete_inputs.has_value());
  const UniqueArgumentsRow& small = tables.unique_arguments[1];
  CHECK(small.input_dims == "((2, 4), (4, 8))");
  CHECK(small.concrete_inputs == "('', '')");
  CHECK(small.totals.launchers == 2);
  CHECK(small.direct.sum == 22_us);
  CHECK(small.direct.mean == 11'000);
  CHECK(*small.direct.sample_deviation == doctest::Approx(1414.2135623730951));  // 10 and 12 us
  CHECK(small.example == id_at<EventId>(1));
  CHECK(small.process_name == "Unknown");
  CHECK_FALSE(tables.unique_arguments[2].direct.sample_deviation.has_value());
  CHECK(tables.with_overlap.empty());
}

TEST_CASE("operator tables: rows stand apart by module, kernels and first occurrence when asked") {
  TableOptions options;
  options.groups_by_parent_module = true;
  options.groups_by_kernel_count = true;
  options.has_call_stack = true;
  options.has_first_occurrence = true;
  const TableScene scene(products().load(), options);
  const OperatorTables tables = scene.operators();
  REQUIRE(tables.summary.size() == 2);
  CHECK(tables.summary[0].parent_module == "nn.Module: Linear");
  CHECK(tables.summary[0].call_stack == "['aten::mm', 'nn.Module: Linear_0']");
  CHECK(tables.summary[1].parent_module == "NA");
  CHECK(tables.unique_arguments[1].kernels == 1);
  CHECK(tables.unique_arguments[1].first_occurrence_ns == 0);
  CHECK(tables.unique_arguments[2].first_occurrence_ns == 99_us);
  CHECK(tables.unique_arguments[1].full_call_stack.text == "['nn.Module: Linear', 'aten::mm', 'gemm']");
}

TEST_CASE("operator tables: equal times stand in the order of their keys") {
  const TableScene scene(TestTrace()
                             .op("b", 0, 5_us)
                             .launch("cudaLaunchKernel", 1_us, 2_us, 1)
                             .op("a", 10_us, 15_us)
                             .launch("cudaLaunchKernel", 11_us, 12_us, 2)
                             .kernel("k", 100_us, 110_us, 1)
                             .kernel("k", 110_us, 120_us, 2)
                             .load());
  const OperatorTables tables = scene.operators();
  CHECK(tables.summary[0].name == "a");
  CHECK(tables.unique_arguments[0].name == "b");  // by the first launcher
}

TEST_CASE("operator tables: shares are unknown where no time is") {
  const TableScene scene(TestTrace()
                             .op("aten::mm", 0, 5_us)
                             .launch("cudaLaunchKernel", 1_us, 2_us, 1)
                             .kernel("k", 100_us, 100_us, 1)
                             .load());
  const OperatorTables tables = scene.operators();
  REQUIRE(tables.summary.size() == 1);
  CHECK_FALSE(tables.summary[0].totals.percentage.has_value());
  CHECK(cell_of(tables.summary[0].totals.percentage) == Cell());
}

TEST_CASE("operator tables: the sheet with overlap splits rows by what ran beside them") {
  TableOptions options;
  options.has_overlap = true;
  TestTrace trace = products();
  trace.op("c10d::all_reduce", 120_us, 125_us).launch("cudaLaunchKernel", 121_us, 122_us, 9);
  trace.stream(20).kernel("ncclDevKernel_AllReduce", 205_us, 220_us, 9);
  const TableScene scene(trace.load(), options);
  const OperatorTables tables = scene.operators();
  CHECK(tables.unique_arguments.size() == 3);
  REQUIRE(tables.with_overlap.size() == 4);  // of the two small products one ran alone
  const auto beside = std::ranges::count_if(tables.with_overlap,
                                            [](const UniqueArgumentsRow& row) { return !row.overlap.kernels.empty(); });
  CHECK(beside == 2);
  CHECK(counted_ns(tables.with_overlap) == tables.counted_ns);
}

#ifndef KINETOSCOPE_SANITIZED  // texts of 64 MiB a sheet take half a minute with sanitizers
TEST_CASE("operator tables: 20,000 operators inside one another, each a row of its own, stay small with every flag") {
  constexpr std::int64_t depth = 20'000;
  TestTrace trace;
  for (std::int64_t i = 0; i < depth; ++i) {
    trace.op("my::operator_with_a_long_name/" + std::to_string(i), i * 10, 1'000_us * depth - i * 10);
    trace.launch("cudaLaunchKernel", i * 10 + 1, i * 10 + 2, i + 1);
  }
  for (std::int64_t i = 0; i < depth; ++i) trace.kernel("k", 2 * i * 1_us, (2 * i + 1) * 1_us, i + 1);
  TableOptions options;
  options.groups_by_parent_module = true;
  options.has_call_stack = true;
  options.has_overlap = true;
  options.detects_recompute = true;
  const TableScene scene(trace.load(), options);
  const OperatorTables tables = scene.operators();
  REQUIRE(tables.unique_arguments.size() == depth);
  CHECK(tables.by_category.size() == 1);
  std::size_t bytes = 0;
  for (const UniqueArgumentsRow& row : tables.unique_arguments) bytes += row.full_call_stack.text.size();
  CHECK(bytes < (std::size_t{65} << 20));
  CHECK_FALSE(tables.unique_arguments.front().full_call_stack.text.empty());
  CHECK(tables.unique_arguments.back().full_call_stack.text.empty());
  const auto lacks_stack = [](const auto& row) { return row.call_stack.empty(); };
  const auto silent = [&](const auto& rows) {
    return static_cast<std::uint64_t>(std::ranges::count_if(rows, lacks_stack));
  };
  // Each sheet has room of its own: what the long stacks of one took, the others have.
  const RowsWithoutStacks& without = tables.limits.rows_without_stacks;
  CHECK(silent(tables.unique_arguments) == without.unique_arguments);
  CHECK(silent(tables.with_overlap) == without.with_overlap);
  CHECK(without.unique_arguments > 0);
  CHECK(without.with_overlap > 0);
  CHECK_FALSE(lacks_stack(tables.with_overlap.front()));
  CHECK(silent(tables.by_category) == 0);
  CHECK(silent(tables.summary) == 0);
  CHECK(without.by_category + without.summary == 0);
}
#endif

TEST_CASE("operator tables: the rows of each sheet add up to the same, in all traces and with all flags") {
  for (const std::string& name : shared_trace_names()) {
    CAPTURE(name);
    TableOptions every;
    every.detects_recompute = true;
    every.groups_by_parent_module = true;
    every.groups_by_kernel_count = true;
    every.has_overlap = true;
    every.includes_unlinked = true;
    for (const TableOptions& options : {TableOptions{}, every}) {
      const TableScene scene = recorded_scene(name, options);
      const OperatorTables tables = scene.operators();
      CHECK(counted_ns(tables.by_category) == tables.counted_ns);
      CHECK(counted_ns(tables.summary) == tables.counted_ns);
      CHECK(counted_ns(tables.unique_arguments) == tables.counted_ns);
      if (options.has_overlap) CHECK(counted_ns(tables.with_overlap) == tables.counted_ns);
      for (const UniqueArgumentsRow& row : tables.unique_arguments) {
        CHECK(row.totals.direct_ns == row.direct.sum);
        std::uint64_t kernels = 0;
        for (const KernelDetail& detail : row.kernels_run) kernels += detail.time.count;
        CHECK(kernels >= row.totals.launchers);
      }
    }
  }
}

// Values of goldens/perf_report/default: perf_report 13, rows 5 to 7, 14, 22, 39, 40.
TEST_CASE("operator tables: agree with the reference's values") {
  constexpr double tolerance = 1e-6;
  {
    const TableScene scene(shared_trace("mi300/gaunernst_bert-small-uncased__1016001.json.gz"));
    const OperatorTables tables = scene.operators();
    CHECK(category(tables, "GEMM").totals.launchers == 26);
    CHECK(milliseconds(category(tables, "GEMM").totals.direct_ns) == doctest::Approx(0.174130859).epsilon(1e-5));
    const UniqueArgumentsRow& attention = tables.unique_arguments[0];
    CHECK(attention.name == "aten::_flash_attention_forward");
    CHECK(attention.category == "SDPA_fwd");  // other in the reference: 14.1
    CHECK(attention.totals.launchers == 4);
    CHECK(attention.example == id_at<EventId>(86));
    REQUIRE(attention.kernels_run.size() == 1);
    CHECK(attention.kernels_run[0].time.sum == 113'656);
    CHECK(attention.kernels_run[0].time.mean == 28'414);
    CHECK(attention.kernels_run[0].time.median == 27'321.5);
    CHECK(attention.kernels_run[0].time.population_deviation == doctest::Approx(2093.5189).epsilon(tolerance));
  }
  {
    const TableScene scene(shared_trace("h100/gaunernst_bert-small-uncased__1016001.json.gz"));
    const OperatorTables tables = scene.operators();
    CHECK(named(tables, "aten::addmm").totals.direct_ns == 197'598);
    CHECK(named(tables, "aten::addmm").totals.launchers == 26);
    CHECK(*named(tables, "aten::addmm").totals.percentage == doctest::Approx(63.857263352).epsilon(tolerance));
  }
  {
    const TableScene scene(shared_trace("mi300/Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz"));
    const OperatorTables tables = scene.operators();
    CHECK(category(tables, "elementwise").totals.launchers == 759);
    CHECK(category(tables, "GEMM").totals.launchers == 169);
    CHECK(category(tables, "reduce").totals.launchers == 50);
    // 76 others in the reference, 24 of them fused attention.
    CHECK(category(tables, "other").totals.launchers + category(tables, "SDPA_fwd").totals.launchers == 76);
  }
  {
    const TableScene scene(shared_trace("perf_model/normalization/normalization_layer_test.json.gz"));
    const OperatorTables tables = scene.operators();
    CHECK(category(tables, "NORM_bwd").totals.launchers == 30);
    CHECK(tables.summary[0].name == "aten::native_layer_norm_backward");
    CHECK(microseconds(tables.summary[0].totals.direct_ns) == doctest::Approx(171.4462890625).epsilon(1e-4));
  }
}

TEST_CASE("operator tables: recomputed work stands apart as in the reference") {
  // goldens/perf_report/recompute/mi300/resnet_act_checkpoint/ops_summary.csv: 60 and 57 convolutions.
  TableOptions options;
  options.detects_recompute = true;
  const TableScene scene(shared_trace("mi300/resnet_act_checkpoint.json.gz"), options);
  const OperatorTables tables = scene.operators();
  CHECK(tables.summary.size() == 25);
  CHECK(tables.unique_arguments.size() == 130);
  CHECK(named(tables, "aten::miopen_convolution").totals.launchers == 60);
  CHECK(named(tables, "aten::miopen_convolution", true).totals.launchers == 57);
  CHECK(named(tables, "aten::convolution_backward").totals.direct_ns == 5'436'966);
}

TEST_CASE("operator tables: sums beyond 64 bits are right, and so are means and shares") {
  TestTrace trace;
  for (std::int64_t i = 0; i < 3; ++i) {
    trace.op("aten::mm", i * 10, i * 10 + 5).launch("cudaLaunchKernel", i * 10 + 1, i * 10 + 2, i + 1);
  }
  trace.op("aten::add", 30, 35).launch("cudaLaunchKernel", 31, 32, 4);
  for (std::int64_t i = 0; i < 4; ++i) trace.stream(i).kernel("k", -5, largest_time_ns - 5, i + 1);
  TableOptions options;
  options.has_overlap = true;
  const TableScene scene(trace.load(), options);
  const OperatorTables tables = scene.operators();
  constexpr std::int64_t longest_ns = largest_time_ns;  // three of them are beyond 64 bits
  const UniqueArgumentsRow& products = tables.unique_arguments[0];
  CHECK(products.direct.sum == WideSum{3} * longest_ns);
  CHECK(products.subtree.sum == WideSum{3} * longest_ns);
  CHECK(products.direct.mean == static_cast<double>(longest_ns));
  CHECK(*products.totals.percentage == 75);
  CHECK(*tables.unique_arguments[1].totals.cumulative_percentage == 100);
  CHECK(tables.direct_ns == WideSum{4} * longest_ns);
  CHECK(tables.counted_ns == longest_ns);
  CHECK(products.kernels_run[0].time.sum == WideSum{3} * longest_ns);
  for (const UniqueArgumentsRow& row : tables.with_overlap) {
    CHECK(row.overlap.mean == 1.0);
    CHECK(row.overlap.kernels.front().time.min >= longest_ns);
  }
}

TEST_CASE("operator columns: every one has a heading of its own and says what it means") {
  check_columns(category_columns());
  check_columns(operator_columns());
  check_columns(unique_arguments_columns());
  check_columns(overlap_columns());
  CHECK(category_columns().back().heading == "counted_time_us");
  CHECK(operator_columns().back().heading == "counted_time_us");
  CHECK(unique_arguments_columns().back().heading == "counted_time_us");
  CHECK(overlap_columns().back().heading == "overlapping_kernel_names_count");
}

TEST_CASE("operator columns: stand where users of the reference know them") {
  CHECK(headings(category_columns(), {}) ==
        std::vector<std::string>{"op category", "Count", "total_direct_kernel_time_ms", "Percentage (%)",
                                 "Cumulative Percentage (%)", "counted", "counted_time_us"});
  TableOptions options;
  options.groups_by_parent_module = true;
  options.has_call_stack = true;
  CHECK(headings(operator_columns(), options) ==
        std::vector<std::string>{"name", "parent_module", "total_direct_kernel_time_sum",
                                 "total_subtree_kernel_time_sum", "total_subtree_kernel_time_count",
                                 "total_direct_kernel_time_ms", "Count", "Categories", "call_stack_first",
                                 "Percentage (%)", "Cumulative Percentage (%)", "counted", "counted_time_us"});
  const std::vector<std::string> overlap = headings(overlap_columns(), {});
  CHECK(overlap[1] == "overlapping_kernel_names");
  CHECK(overlap.size() == headings(unique_arguments_columns(), {}).size() + 9);
}
}  // namespace kinetoscope::analysis
