#include "core/analysis/unified_summary.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "core/analysis/unified_summary_columns.hpp"
#include "tests/support/shared_files.hpp"
#include "tests/support/trace_builder.hpp"
#include "tests/unit/analysis/modelled_scene.hpp"
#include "tests/unit/analysis/recorded_scene.hpp"

namespace kinetoscope::analysis {
namespace {

/// A scene with its unified table.
struct UnifiedScene : ModelledScene {
  UnifiedSummary summary;

  explicit UnifiedScene(Trace&& loaded, const TableOptions& options = {})
      : UnifiedScene(TableScene(std::move(loaded), options)) {}
  explicit UnifiedScene(TableScene&& made)
      : ModelledScene(std::move(made)), summary(unified_summary(*scene.input, work, estimates)) {}

  /// Names of the rows, longest kernel time first.
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const WorkRow& row : summary.rows) out.emplace_back(row.name);
    return out;
  }
};
}  // namespace

TEST_CASE("unified summary: the outermost operator that a model knows takes all work below it") {
  TestTrace trace;
  trace.op("aten::linear", 0, 50_us).op("aten::mm", 1_us, 40_us, mm_arguments).op("aten::fill_", 2_us, 10_us);
  trace.launch("cudaLaunchKernel", 3_us, 4_us, 1).launch("cudaLaunchKernel", 20_us, 21_us, 2);
  trace.kernel("fill", 100_us, 101_us, 1).kernel("gemm", 101_us, 111_us, 2);
  const UnifiedScene unified(trace.load());
  REQUIRE(unified.names() == std::vector<std::string>{"aten::mm"});
  const WorkRow& row = unified.summary.rows.front();
  CHECK(row.kind == WorkKind::modelled);
  CHECK(row.kernel.sum == 11_us);
  REQUIRE(row.estimate != nullptr);
  CHECK(row.estimate->flops == 2.0 * 64 * 16 * 32);
  // 65,536 FLOPs in 11 µs.
  CHECK(row.rates.tflops_per_s.mean == doctest::Approx(65'536 / 11e-6 / 1e12));
  CHECK(row.kernels_run.size() == 2);
}

TEST_CASE("unified summary: what a call launches beside operators with a model stands by itself") {
  TestTrace trace;
  trace.op("mine::block", 0, 50_us).op("aten::mm", 1_us, 10_us, mm_arguments);
  trace.launch("cudaLaunchKernel", 3_us, 4_us, 1).launch("cudaLaunchKernel", 20_us, 21_us, 2);
  trace.kernel("gemm", 100_us, 110_us, 1).kernel("own", 110_us, 113_us, 2);
  const UnifiedScene unified(trace.load());
  CHECK(unified.names() == std::vector<std::string>{"aten::mm", "mine::block->own (Synthetic Op)"});
  CHECK(unified.summary.rows.back().kind == WorkKind::single_event);
  CHECK(unified.summary.rows.back().example >= unified.scene.trace->size());
}

TEST_CASE("unified summary: an operator without a category has that of its own first kernel, not of one inside") {
  TestTrace trace;
  trace.op("mine::pool_backward", 0, 50_us).op("mine::clear", 1_us, 10_us);
  trace.launch("cudaLaunchKernel", 3_us, 4_us, 1).launch("cudaLaunchKernel", 20_us, 21_us, 2);
  trace.kernel("void at::native::vectorized_elementwise_kernel<4, Fill>", 100_us, 101_us, 1);
  trace.kernel("void at::native::pool_backward_reduce", 101_us, 111_us, 2);
  const UnifiedScene unified(trace.load());
  REQUIRE(unified.names() == std::vector<std::string>{"mine::pool_backward"});
  CHECK(unified.summary.rows.front().kernel.sum == 11_us);
  CHECK(unified.summary.rows.front().category == "reduce");
}

TEST_CASE("unified summary: communication is in no row, other work of its launcher stands by itself") {
  TestTrace trace;
  trace.op("c10d::allreduce_", 0, 50_us).launch("cudaLaunchKernel", 3_us, 4_us, 1);
  trace.launch("cudaMemcpyAsync", 5_us, 6_us, 2);
  trace.kernel("ncclDevKernel_AllReduce", 100_us, 110_us, 1).copy("Memcpy DtoD (Device -> Device)", 111_us, 113_us, 2);
  const UnifiedScene unified(trace.load());
  CHECK(unified.names() == std::vector<std::string>{"c10d::allreduce_->Memcpy DtoD (Device -> Device) (Synthetic Op)"});
}

TEST_CASE("unified summary: backward work of a modelled forward call has its backward figures and category") {
  TestTrace trace;
  trace.op("aten::layer_norm", 0, 9_us,
           R"("Sequence number": 5, "Input Dims": [[8, 4], [], [4], [4]],
              "Input type": ["float", "ScalarList", "float", "float"], "Concrete Inputs": ["", "[4]", "", ""])");
  trace.thread(2);
  trace.op("autograd::engine::evaluate_function: LayerNormBackward0", 20_us, 40_us, R"("Sequence number": 5)");
  trace.op("LayerNormBackward0", 21_us, 39_us, R"("Sequence number": 5)").op("mine::work", 22_us, 30_us);
  trace.launch("cudaLaunchKernel", 23_us, 24_us, 1);
  trace.kernel("norm_backward", 100_us, 104_us, 1);
  const UnifiedScene unified(trace.load());
  REQUIRE(unified.names() == std::vector<std::string>{"LayerNormBackward0"});
  const WorkRow& row = unified.summary.rows.front();
  CHECK(row.kind == WorkKind::backward);
  CHECK(row.category == "NORM_bwd");
  CHECK(row.kernel.sum == 4_us);
  CHECK(row.estimate->flops == 9.0 * 32);  // 4 E for the sums over rows, 5 E for the operand's gradient; E = 8 x 4
}

TEST_CASE("unified summary: a model that does not apply leaves the row with its time, and says why") {
  TestTrace trace;
  trace.op("aten::mm", 1_us, 10_us, R"("Input Dims": [[64, 32]], "Input type": ["c10::BFloat16"])");
  trace.launch("cudaLaunchKernel", 3_us, 4_us, 1).kernel("gemm", 100_us, 110_us, 1);
  const UnifiedScene unified(trace.load());
  REQUIRE(unified.summary.rows.size() == 1);
  const WorkRow& row = unified.summary.rows.front();
  CHECK(row.kernel.sum == 10_us);
  CHECK_FALSE(row.estimate->flops.has_value());
  CHECK(row.estimate->gap == perf_model::Gap::argument_not_recorded);
  CHECK(row.rates.tflops_per_s.count == 0);
}

TEST_CASE("unified summary: what Inductor wrote beside a call stands beside the model's figures") {
  TestTrace trace;
  trace.op("aten::mm", 1_us, 10_us, R"("kernel_flop": 65536, "kernel_num_gb": 0.25)");
  trace.launch("cudaLaunchKernel", 3_us, 4_us, 1).kernel("gemm", 100_us, 110_us, 1);
  const UnifiedScene unified(trace.load());
  REQUIRE(unified.summary.rows.size() == 1);
  CHECK(unified.summary.rows.front().recorded_flops == 65'536.0);
  CHECK(unified.summary.rows.front().recorded_gigabytes == 0.25);
}

TEST_CASE("unified summary: columns have cells, meanings and headings of their own") {
  std::set<std::string_view> seen;
  for (const Column<WorkRow>& column : unified_summary_columns()) {
    CAPTURE(column.heading);
    CHECK(column.meaning.ends_with("."));
    CHECK(seen.insert(column.heading).second);
    CHECK_NOTHROW(static_cast<void>(column.cell(WorkRow())));
  }
}

TEST_CASE("unified summary: every event but communication stands in one row, and counted times add up, in all traces") {
  for (const std::string& name : shared_trace_names()) {
    CAPTURE(name);
    const UnifiedScene unified(recorded_scene(name));
    const TableInput& input = *unified.scene.input;
    std::set<std::uint32_t> taken;
    std::int64_t communication_ns = 0;
    std::int64_t all_ns = 0;
    std::uint64_t others = 0;
    for (const EventId event : unified.work.calls.events)
      REQUIRE(taken.insert(static_cast<std::uint32_t>(event)).second);
    for (std::size_t place = 0; place < input.events().size(); ++place) {
      all_ns += unified.counted_ns[place];
      const EventId event = input.events()[place];
      if (taken.contains(static_cast<std::uint32_t>(event))) continue;
      if (input.buckets().of(event) == GpuBucket::communication) {
        communication_ns += unified.counted_ns[place];
      } else {
        ++others;
      }
    }
    CHECK(others == unified.summary.unowned_events);
    std::int64_t rows_ns = unified.summary.unowned_counted_ns + communication_ns;
    for (const WorkRow& row : unified.summary.rows) rows_ns += row.counted_ns;
    CHECK(rows_ns == all_ns);
  }
}
}  // namespace kinetoscope::analysis
