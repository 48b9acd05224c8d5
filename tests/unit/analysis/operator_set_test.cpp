#include "core/perf_model/operator_set.hpp"

#include <algorithm>

#include <doctest/doctest.h>

#include "core/analysis/tables.hpp"
#include "tests/support/trace_builder.hpp"
#include "tests/unit/analysis/table_scene.hpp"

namespace kinetoscope::analysis {
namespace {

/// 64 x 32 by (16 x 32) transposed.
constexpr std::string_view linear_arguments =
    R"("Input Dims": [[64, 32], [16, 32]], "Input type": ["c10::BFloat16", "c10::BFloat16"])";

Trace linear_trace() {
  return TestTrace()
      .op("mine::linear", 0, 50_us, linear_arguments)
      .launch("cudaLaunchKernel", 3_us, 4_us, 1)
      .kernel("void at::native::vectorized_elementwise_kernel<4, F>(int)", 100_us, 111_us, 1)
      .load();
}

TableOptions options_with(const std::string& families) {
  TableOptions options;
  options.has_kernel_summary = true;
  options.operators =
      perf_model::OperatorSet(perf_model::read_user_operators(R"({"families": [)" + families + "]}", "mine.json"));
  return options;
}

Tables tables_with(const TableScene& scene, const TableOptions& options) {
  return make_tables(*scene.tree, *scene.buckets, scene.trace->gpu_events(), {}, options);
}
}  // namespace

TEST_CASE("operator set: every sheet knows a user's operator by its category, and its model") {
  const TableScene scene(linear_trace());
  const TableOptions options = options_with(
      R"({"category": "my_products", "sheet": "GEMM", "model": "gemm", "arguments": {"a": 0, "b": 1, "order_b": "nk"},
          "operators": ["mine::linear"]})");
  const Tables tables = tables_with(scene, options);
  CHECK(tables.operators->by_category.front().category == "my_products");
  CHECK(tables.operators->summary.front().categories == std::vector<std::string_view>{"my_products"});
  CHECK(tables.operators->unique_arguments.front().category == "my_products");
  CHECK(tables.kernels->front().category == "my_products");
  REQUIRE(tables.modelled->unified.rows.size() == 1);
  const WorkRow& row = tables.modelled->unified.rows.front();
  CHECK(row.category == "my_products");
  CHECK(row.kind == WorkKind::modelled);
  CHECK(row.estimate->flops == 65'536);  // 2 x 64 x 16 x 32
  // Without it the kernel says what the operator does, and no model knows it.
  const Tables plain = tables_with(scene, {.has_kernel_summary = true});
  CHECK(plain.operators->by_category.front().category == "elementwise");
  CHECK(plain.kernels->front().category == "elementwise");
  CHECK(plain.modelled->unified.rows.front().estimate == nullptr);
}

TEST_CASE("operator set: texts of tables outlive the options that they were made with") {
  const TableScene scene(linear_trace());
  const auto make = [&] {
    return tables_with(scene, options_with(R"({"category": "a category of mine, longer than any text kept in place",
                                               "operators": ["mine::linear"]})"));
  };
  const Tables tables = make();
  CHECK(tables.modelled->unified.rows.front().category == "a category of mine, longer than any text kept in place");
}

TEST_CASE("operator set: backward work of a user's operator has its backward figures and category") {
  const std::string arguments =
      R"("Sequence number": 5, "Input Dims": [[1, 2, 8, 4], [1, 2, 8, 4], [1, 2, 8, 4]],
         "Input type": ["float", "float", "float"])";
  TestTrace trace;
  trace.op("MyAttention", 0, 9_us, arguments);
  trace.thread(2);
  trace.op("autograd::engine::evaluate_function: MyAttentionBackward", 20_us, 40_us, R"("Sequence number": 5)");
  trace.op("MyAttentionBackward", 21_us, 39_us, R"("Sequence number": 5)").op("mine::work", 22_us, 30_us);
  trace.launch("cudaLaunchKernel", 23_us, 24_us, 1).kernel("attention_backward", 100_us, 104_us, 1);
  const TableScene scene(trace.load());
  const Tables tables = tables_with(
      scene, options_with(R"({"category": "SDPA_fwd", "backward_category": "my_backward", "model": "attention",
                              "arguments": {"q": 0, "k": 1, "v": 2}, "operators": ["MyAttention"]})"));
  REQUIRE(tables.modelled->unified.rows.size() == 1);
  const WorkRow& row = tables.modelled->unified.rows.front();
  CHECK(row.name == "MyAttentionBackward");
  CHECK(row.kind == WorkKind::backward);
  CHECK(row.category == "my_backward");
  CHECK(row.estimate->flops.has_value());
}
}  // namespace kinetoscope::analysis
