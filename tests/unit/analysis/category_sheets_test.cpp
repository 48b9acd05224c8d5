#include "core/analysis/category_sheets.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "core/analysis/category_sheet_columns.hpp"
#include "core/analysis/timeline.hpp"
#include "tests/support/shared_files.hpp"
#include "tests/support/trace_builder.hpp"
#include "tests/unit/analysis/modelled_scene.hpp"

namespace kinetoscope::analysis {
namespace {

/// A scene with its category sheets.
struct CategoryScene : ModelledScene {
  CategorySheets made;

  explicit CategoryScene(Trace&& loaded, const TableOptions& options = {})
      : ModelledScene(std::move(loaded), options), made(category_sheets(*scene.input, work, estimates)) {}

  /// "GEMM: aten::mm x 2 of 1, ...": sheets with their rows, how many calls each has and how many of them count.
  [[nodiscard]] std::string rows() const {
    std::string out;
    for (const CategorySheet& sheet : made.sheets) {
      out += sheet.name + ":";
      for (const WorkRow& row : sheet.rows) {
        out += " " + std::string(row.name) + " x " + std::to_string(row.kernel.count) + " of " +
               std::to_string(row.counted) + ";";
      }
    }
    return out;
  }
};

constexpr std::string_view norm_arguments =
    R"("Sequence number": 5, "Input Dims": [[8, 4], [], [4], [4]],
       "Input type": ["float", "ScalarList", "float", "float"], "Input Strides": [[4, 1], [], [1], [1]],
       "Concrete Inputs": ["", "[4]", "", ""])";

TEST_CASE("category sheets: calls inside one another stand in their sheets each, and the outermost counts") {
  TestTrace trace;
  trace.op("aten::layer_norm", 0, 50_us, norm_arguments).op("aten::native_layer_norm", 1_us, 40_us, norm_arguments);
  trace.launch("cudaLaunchKernel", 3_us, 4_us, 1).launch("cudaLaunchKernel", 45_us, 46_us, 2);
  trace.kernel("norm", 100_us, 110_us, 1).kernel("own", 110_us, 113_us, 2);
  const CategoryScene scene(trace.load());
  CHECK(scene.rows() == "Normalization: aten::layer_norm x 1 of 1; aten::native_layer_norm x 1 of 0;");
  const std::vector<WorkRow>& rows = scene.made.sheets.front().rows;
  CHECK(rows[0].kernel.sum == 13_us);
  CHECK(rows[0].counted_ns == 13_us);
  CHECK(rows[1].kernel.sum == 10_us);
  CHECK(rows[1].counted_ns == 0);
}

TEST_CASE("category sheets: calls without GPU work are rows at the bottom, without rates") {
  TestTrace trace;
  trace.op("aten::mm", 0, 10_us, R"("Input Dims": [[8, 8], [8, 8]], "Input type": ["float", "float"])");
  trace.op("aten::mm", 20_us, 30_us, mm_arguments).launch("cudaLaunchKernel", 21_us, 22_us, 1);
  trace.kernel("gemm", 100_us, 110_us, 1);
  const CategoryScene scene(trace.load());
  REQUIRE(scene.rows() == "GEMM: aten::mm x 1 of 1; aten::mm x 1 of 0;");
  const WorkRow& idle = scene.made.sheets.front().rows.back();
  CHECK(idle.kernel.sum == 0);
  CHECK(idle.estimate->flops == 2.0 * 8 * 8 * 8);
  CHECK(idle.rates.tflops_per_s.count == 0);
  CHECK(idle.kernels_run.empty());
}

TEST_CASE("category sheets: calls without GPU work are recomputed where they are below a frame that recomputes") {
  TestTrace trace;
  trace.frame("torch/utils/checkpoint.py(1102): recompute_fn", 0, 20_us);
  trace.op("aten::mm", 1_us, 9_us, mm_arguments);
  trace.op("aten::mm", 30_us, 39_us, mm_arguments).op("aten::mm", 40_us, 49_us, mm_arguments);
  TableOptions options;
  options.detects_recompute = true;
  const CategoryScene scene(trace.load(), options);
  REQUIRE(scene.rows() == "GEMM: aten::mm x 1 of 0; aten::mm x 2 of 0;");
  const std::vector<WorkRow>& rows = scene.made.sheets.front().rows;
  CHECK(rows[0].is_recompute);
  CHECK_FALSE(rows[1].is_recompute);
}

TEST_CASE("category sheets: calls are one row by what the model read, not by what else they were called with") {
  TestTrace trace;
  for (int i = 0; i < 3; ++i) {
    const std::int64_t begin = i * 20_us;
    trace.op("aten::mm", begin, begin + 10_us,
             i == 2 ? R"("Input Dims": [[64, 32], [32, 8]], "Input type": ["c10::BFloat16", "c10::BFloat16"])"
                    : mm_arguments);
    trace.launch("cudaLaunchKernel", begin + 1_us, begin + 2_us, i + 1);
    trace.kernel("gemm", 100_us + begin, 104_us + begin, i + 1);
  }
  CHECK(CategoryScene(trace.load()).rows() == "GEMM: aten::mm x 2 of 2; aten::mm x 1 of 1;");
}

TEST_CASE("category sheets: backward work stands in the backward sheet of the forward operator's family") {
  TestTrace trace;
  trace.op("aten::mean", 0, 9_us,
           R"("Sequence number": 5, "Input Dims": [[8, 4], [], [], []],
              "Input type": ["float", "ScalarList", "Scalar", ""], "Input Strides": [[4, 1], [], [], []],
              "Concrete Inputs": ["", "[-1]", "True", ""])");
  trace.launch("cudaLaunchKernel", 3_us, 4_us, 1);
  trace.thread(2);
  trace.op("autograd::engine::evaluate_function: MeanBackward1", 20_us, 40_us, R"("Sequence number": 5)");
  trace.op("MeanBackward1", 21_us, 39_us, R"("Sequence number": 5)").launch("cudaLaunchKernel", 23_us, 24_us, 2);
  trace.kernel("mean", 100_us, 104_us, 1).kernel("scale", 104_us, 106_us, 2);
  const CategoryScene scene(trace.load());
  CHECK(scene.rows() == "Reduce_fwd: aten::mean x 1 of 1;Reduce_bwd: aten::mean x 1 of 0;");
  CHECK(scene.made.sheets.back().rows.front().kernel.sum == 2_us);
}

TEST_CASE("category sheets: an operator that is backward work stands in the backward sheet (D30)") {
  const std::vector<std::string> names = category_sheet_names();
  for (const std::string_view name :
       {"flash_attn::_flash_attn_backward", "aiter::_flash_attn_backward", "aiter::wrapper_fmha_v3_bwd"}) {
    CAPTURE(name);
    TestTrace trace;
    trace.op(name, 0, 9_us, R"("Input Dims": [], "Input type": [])").launch("cudaLaunchKernel", 3_us, 4_us, 1);
    trace.kernel("attention_backward", 100_us, 104_us, 1);
    const CategoryScene scene(trace.load());
    REQUIRE(scene.made.sheets.size() == 1);
    CHECK(scene.made.sheets.front().name.ends_with("_bwd"));
    CHECK(std::ranges::count(names, scene.made.sheets.front().name) == 1);
  }
}

TEST_CASE("category sheets: a parameter's column is missing where the model has none, and None where it is open") {
  perf_model::Estimate estimate;
  estimate.add_parameter("M", std::int64_t{8});
  estimate.add_parameter("bias", false);
  estimate.add_parameter("scale", std::monostate{});
  estimate.add_parameter("kind", std::string("per_block"));
  WorkRow row;
  row.estimate = &estimate;
  CHECK(parameter_cell(row, "M") == Cell(std::int64_t{8}));
  CHECK(parameter_cell(row, "bias") == Cell(false));
  CHECK(parameter_cell(row, "scale") == Cell(std::string("None")));
  CHECK(parameter_cell(row, "kind") == Cell(std::string("per_block")));
  CHECK(parameter_cell(row, "N") == Cell());
  CHECK(parameter_heading("M") == "param: M");
}

TEST_CASE("category sheets: columns have cells, meanings and headings of their own") {
  std::set<std::string_view> seen;
  for (const Column<WorkRow>& column : category_sheet_columns()) {
    CAPTURE(column.heading);
    CHECK(column.meaning.ends_with("."));
    CHECK(seen.insert(column.heading).second);
    CHECK_NOTHROW(static_cast<void>(column.cell(WorkRow())));
  }
  CHECK(category_sheet_columns().back().heading == "counted_time_us");
}

TEST_CASE("category sheets: thousands of calls inside one another are measured, without a list of kernels each") {
  constexpr int depth = 3'000;
  TestTrace trace;
  for (int i = 0; i < depth; ++i) {
    trace.op("aten::mm", i * 1_us, (4 * depth - i) * 1_us, mm_arguments);
    trace.launch("cudaLaunchKernel", i * 1_us + 200, i * 1_us + 400, i + 1);
  }
  for (int i = 0; i < depth; ++i) {
    trace.kernel("gemm", (20'000 + 2 * i) * 1_us, (20'001 + 2 * i) * 1_us, i + 1);
  }
  const CategoryScene scene(trace.load());
  REQUIRE(scene.rows() == "GEMM: aten::mm x 3000 of 1;");
  CHECK(scene.made.calls_without_details > 0);
  const WorkRow& row = scene.made.sheets.front().rows.front();
  CHECK(row.kernel.max == depth * 1_us);
  CHECK(row.kernel.min == 1_us);
  CHECK(row.kernel.sum == WideSum(depth) * (depth + 1) / 2 * 1_us);
  CHECK(row.counted_ns == depth * 1_us);
}

TEST_CASE("category sheets: what counts is at most the busy time, and no call is lost, in all traces") {
  for (const std::string& name : shared_trace_names()) {
    CAPTURE(name);
    CategoryScene scene(shared_trace(name));
    const TableInput& input = *scene.scene.input;
    std::int64_t counted_ns = 0;
    std::uint64_t counted = 0;
    for (const CategorySheet& sheet : scene.made.sheets) {
      CAPTURE(sheet.name);
      CHECK(std::ranges::is_sorted(sheet.rows, std::ranges::greater(),
                                   [](const WorkRow& row) { return row.kernel.sum; }));
      for (const WorkRow& row : sheet.rows) {
        counted_ns += row.counted_ns;
        counted += row.counted;
        CHECK(row.counted <= row.kernel.count);
        CHECK(row.counted_ns <= row.kernel.sum);
      }
    }
    CHECK(counted_ns <= measure_timeline(*scene.scene.trace, *scene.scene.buckets, input.events()).busy_ns);
    std::uint64_t modelled = 0;
    for (const Work& work : scene.work.work) {
      if (work.kind != WorkKind::modelled) continue;
      const auto place = static_cast<std::size_t>(&work - scene.work.work.data());
      const NodeId node = scene.work.calls.launchers[place].node;
      const perf_model::RegisteredOperator* const known = scene.estimates.registered(node);
      if (known != nullptr && !known->sheet.empty()) ++modelled;
    }
    CHECK(counted >= modelled);
  }
}
}  // namespace
}  // namespace kinetoscope::analysis
