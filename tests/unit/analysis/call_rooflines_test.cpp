#include "core/analysis/call_rooflines.hpp"

#include <algorithm>
#include <string>

#include <doctest/doctest.h>

#include "core/analysis/counted_work.hpp"
#include "core/analysis/roofline_cells.hpp"
#include "core/analysis/tables.hpp"
#include "core/analysis/unified_summary_columns.hpp"
#include "tests/support/shared_files.hpp"
#include "tests/support/trace_builder.hpp"
#include "tests/unit/analysis/recorded_scene.hpp"
#include "tests/unit/analysis/table_scene.hpp"

namespace kinetoscope::analysis {
namespace {

perf_model::Figure stated(double value) {
  perf_model::Figure figure;
  figure.value = value;
  return figure;
}

/// 1 TB/s and 10 TFLOP/s of bf16; fp32 runs at 2 TFLOP/s, or at 8 as TF32. No cache unless told.
perf_model::Platform small_platform(double cache_bytes = 0) {
  perf_model::Platform platform;
  platform.name = "small";
  platform.mem_bw_gbps.value = 1'000;
  for (const auto& [spec, tflops] : {std::pair("matrix_bf16", 10.0), {"matrix_fp32", 2.0}, {"matrix_tf32", 8.0}}) {
    platform.compute[spec].peak = stated(tflops);
  }
  if (cache_bytes > 0) platform.last_level_cache_bytes = stated(cache_bytes);
  return platform;
}

Tables made(const TableScene& scene, const PlatformChoice& platform) {
  return make_tables(*scene.tree, *scene.buckets, scene.trace->gpu_events(), {}, {.platform = platform});
}

/// One call of a product of 64 x 32 and 32 x 16 elements: 65,536 FLOPs, and 3,584 elements to move.
TestTrace product(std::string_view type, std::string_view kernel, std::int64_t kernel_ns) {
  const std::string arguments = R"("Input Dims": [[64, 32], [32, 16]], "Input type": [")" + std::string(type) +
                                R"(", ")" + std::string(type) + R"("])";
  TestTrace trace;
  trace.op("aten::mm", 0, 50_us, arguments).launch("cudaLaunchKernel", 1_us, 2_us, 1);
  trace.launch("cudaLaunchKernel", 3_us, 4_us, 2);
  trace.kernel("fill", 100_us, 100_us, 1).kernel(kernel, 101_us, 101_us + kernel_ns, 2);
  return trace;
}

const WorkRow& only_row(const Tables& tables) {
  REQUIRE(tables.modelled->unified.rows.size() == 1);
  return tables.modelled->unified.rows.front();
}

std::string remark_of(const Tables& tables) {
  const WorkRow& row = only_row(tables);
  return roofline_remark(row.roofline, row.estimate);
}

/// By the place of its first call in the file.
const WorkRow& row_of(const Tables& tables, std::uint64_t example) {
  const auto& rows = tables.modelled->unified.rows;
  const auto found = std::ranges::find(rows, example, &WorkRow::example);
  REQUIRE(found != rows.end());
  return *found;
}
}  // namespace

TEST_CASE("call rooflines: the share of the GPU time is over the row's calls, in percent") {
  const TableScene scene(product("c10::BFloat16", "gemm", 20).load());
  const Tables tables = made(scene, named_platform(small_platform()));
  const WorkRow& row = only_row(tables);
  // 65,536 FLOPs at 10 TFLOP/s: 6.5536 ns. (64 x 32 + 32 x 16 + 64 x 16) x 2 = 7,168 bytes at 1 TB/s: 7.168 ns.
  REQUIRE(row.roofline.first.has_value());
  CHECK(*row.roofline.first->compute_ns == doctest::Approx(6.5536));
  CHECK(*row.roofline.first->time_ns == doctest::Approx(7.168));
  CHECK(row.roofline.first->bound == perf_model::Bound::memory);
  CHECK(row.roofline.percent.count == 1);
  CHECK(row.roofline.percent.mean == doctest::Approx(7.168 / 20 * 100));
  CHECK(remark_of(tables) == "");
}

TEST_CASE("call rooflines: one kernel that names TF32 makes products of fp32 run so, a fill before it does not") {
  // 65,536 FLOPs at 2 or 8 TFLOP/s; 14,336 bytes at 1 TB/s are 14.336 ns.
  const TableScene exact(product("float", "gemm", 40).load());
  CHECK(*only_row(made(exact, named_platform(small_platform()))).roofline.first->compute_ns == doctest::Approx(32.768));
  const TableScene tf32(product("float", "cutlass_tensorop_s1688gemm_128x64", 40).load());
  const Tables tables = made(tf32, named_platform(small_platform()));
  CHECK(*only_row(tables).roofline.first->compute_ns == doctest::Approx(8.192));
  CHECK(only_row(tables).roofline.first->time_ns == doctest::Approx(14.336));
  CHECK(remark_of(tables) == "ceiling of matrix_tf32");
}

TEST_CASE("call rooflines: faster than device memory is told, and explained where the bytes fit the cache") {
  const TableScene scene(product("c10::BFloat16", "gemm", 7).load());  // 7.168 ns at least
  CHECK(remark_of(made(scene, named_platform(small_platform()))) == "above_roofline");
  CHECK(remark_of(made(scene, named_platform(small_platform(7'168)))) == "above_roofline");
  CHECK(remark_of(made(scene, named_platform(small_platform(7'169)))) == "fits_cache");
  // No cache makes arithmetic faster: 6.5536 ns at least.
  const TableScene shorter(product("c10::BFloat16", "gemm", 6).load());
  CHECK(remark_of(made(shorter, named_platform(small_platform(7'169)))) == "fits_cache; above_roofline");
}

TEST_CASE("call rooflines: what is missing is said, and half a roofline is a lower bound") {
  const TableScene half(product("c10::Half", "gemm", 20).load());
  const Tables tables = made(half, named_platform(small_platform()));
  CHECK(only_row(tables).roofline.first->is_lower_bound);
  CHECK(only_row(tables).roofline.first->time_ns == doctest::Approx(7.168));
  CHECK(remark_of(tables).starts_with("lower bound: "));
  const TableScene unmodelled(TestTrace()
                                  .op("mine::op", 0, 9_us)
                                  .launch("cudaLaunchKernel", 1_us, 2_us, 1)
                                  .kernel("k", 10_us, 20_us, 1)
                                  .load());
  const Tables other = made(unmodelled, named_platform(small_platform()));
  CHECK_FALSE(only_row(other).roofline.first.has_value());
  CHECK(only_row(other).roofline.percent.count == 0);
  CHECK(remark_of(other) == "not_modelled");
}

TEST_CASE("call rooflines: the columns are there with a platform only, in the places that scripts know") {
  const TableScene scene(product("c10::BFloat16", "gemm", 20).load());
  const Tables without = made(scene, {});
  CHECK(without.held_against.reason == "the trace does not describe its devices");
  CHECK_FALSE(only_row(without).roofline.first.has_value());
  const auto headings = [](const Tables& tables) {
    std::vector<std::string_view> out;
    for (const auto& column : wanted_columns<WorkRow>(unified_summary_columns(), tables.options)) {
      out.push_back(column.heading);
    }
    return out;
  };
  const auto plain = headings(without);
  const auto with = headings(made(scene, named_platform(small_platform())));
  CHECK(with.size() == plain.size() + 9);
  const auto after = [&](std::string_view heading) { return *std::next(std::ranges::find(with, heading)); };
  CHECK(after("Compute Spec") == "Roofline Bound");
  CHECK(after("TFLOPS/s_max") == "Roofline Time (µs)_first");
  CHECK(after("Roofline Time (µs)_first") == "Pct Roofline_mean");
  CHECK(after("Pct Roofline_mean") == "Pct Roofline_median");
  CHECK(after("Pct Roofline_median") == "Pct Roofline_std");
  CHECK(after("Pct Roofline_std") == "Pct Roofline_min");
  CHECK(after("Pct Roofline_min") == "Pct Roofline_max");
  CHECK(after("Pct Roofline_max") == "Kernel Time (µs)_median");
  CHECK(with.back() == "roofline_remark");
  CHECK(std::ranges::find(plain, "roofline_remark") == plain.end());
}

TEST_CASE("call rooflines: recorded traces have the figures that TraceLens gives them on MI300X") {
  // TraceLens with its platform MI300X: matrix_bf16 at 708 TFLOP/s, memory at 5,300 GB/s.
  const PlatformChoice platform = platform_choice_of("MI300X");
  const auto check = [](const WorkRow& row, double time_us, double percent, perf_model::Bound bound) {
    CAPTURE(row.example);
    REQUIRE(row.roofline.first.has_value());
    CHECK(*row.roofline.first->time_ns / 1e3 == doctest::Approx(time_us).epsilon(1e-9));
    CHECK(row.roofline.percent.mean == doctest::Approx(percent).epsilon(1e-6));
    CHECK(row.roofline.first->bound == bound);
  };
  const TableScene bert(shared_trace("mi300/gaunernst_bert-small-uncased__1016001.json.gz"));
  const Tables of_bert = made(bert, platform);
  check(row_of(of_bert, 79), 0.10896905660377358, 0.38543543083256127, perf_model::Bound::memory);  // attention
  check(row_of(of_bert, 133), 0.5326732075471698, 6.635074572312025, perf_model::Bound::memory);    // 4 x aten::addmm
  const TableScene resnet(shared_trace("mi300/resnet_act_checkpoint.json.gz"));
  const Tables of_resnet = made(resnet, platform);
  check(row_of(of_resnet, 5899), 3.2656922033898304, 6.64460025240146, perf_model::Bound::compute);  // a convolution
  check(row_of(of_resnet, 1436), 6.531384406779661, 6.760398764785875, perf_model::Bound::compute);  // its backward
}

TEST_CASE("call rooflines: each row has a roofline or says why not, in all traces") {
  for (const std::string& name : shared_trace_names()) {
    CAPTURE(name);
    const TableScene scene = recorded_scene(name);
    const Tables tables = made(scene, {});
    if (!tables.modelled) continue;
    CHECK(tables.held_against.platform.has_value() == tables.held_against.reason.empty());
    if (!tables.held_against.platform) continue;
    for (const WorkRow& row : tables.modelled->unified.rows) {
      CAPTURE(row.name);
      const bool has_time = row.roofline.first && row.roofline.first->time_ns;
      if (has_time) {
        CHECK(*row.roofline.first->time_ns > 0);
      } else {
        CHECK(!roofline_remark(row.roofline, row.estimate).empty());
      }
    }
  }
}
}  // namespace kinetoscope::analysis
