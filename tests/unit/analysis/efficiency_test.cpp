#include "core/analysis/efficiency.hpp"

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/perf_model/platform_detection.hpp"
#include "core/perf_model/platform_table.hpp"
#include "core/analysis/counted_work.hpp"
#include "core/analysis/timeline.hpp"
#include "tests/support/shared_files.hpp"
#include "tests/support/trace_builder.hpp"
#include "tests/unit/analysis/recorded_scene.hpp"
#include "tests/unit/analysis/table_scene.hpp"

namespace kinetoscope::analysis {
namespace {

/// A scene with its efficiency on a platform.
struct EfficiencyScene {
  TableScene scene;
  Steps steps;
  CallEstimates estimates;
  OperatorWork work;
  Efficiency found;

  EfficiencyScene(Trace&& loaded, const perf_model::Platform& platform)
      : EfficiencyScene(TableScene(std::move(loaded)), platform) {}
  EfficiencyScene(TableScene&& made, const perf_model::Platform& platform)
      : scene(std::move(made)),
        steps(Steps::find(*scene.tree)),
        estimates(*scene.tree, steps.steps(), perf_model::operator_registry()),
        work(operator_work(*scene.input, counted_times_ns(*scene.trace, *scene.buckets, scene.input->events()),
                           estimates)),
        found(efficiency_of(*scene.input, work, estimates, platform, steps.steps())) {}
};

const perf_model::Platform& h200() { return perf_model::known_platform("H200 SXM"); }

/// 10,000 x 10,000 by 10,000 x 3,500 in bf16: 2 M N K = 0.7 TFLOP, and 2 (10^8 + 2 x 3.5 x 10^7) = 340 MB.
constexpr std::string_view product_arguments =
    R"("Input Dims": [[10000, 10000], [10000, 3500]], "Input type": ["c10::BFloat16", "c10::BFloat16"])";
constexpr WideSum product_flops = 700'000'000'000;
constexpr WideSum product_bytes = 340'000'000;
/// The same shapes in fp32.
constexpr std::string_view fp32_product_arguments =
    R"("Input Dims": [[10000, 10000], [10000, 3500]], "Input type": ["float", "float"])";
/// Two times 10^8 floats in, one out: 1.2 GB, 250 us at 4800 GB/s.
constexpr std::string_view sum_arguments =
    R"("Input Dims": [[100000000], [100000000]], "Input type": ["float", "float"])";

/// An operator of 10 us at `at`, with one launch.
void add_call(TestTrace& trace, std::string_view name, std::int64_t at_ns, std::int64_t correlation,
              std::string_view arguments = {}) {
  trace.op(name, at_ns, at_ns + 10_us, arguments);
  trace.launch("cudaLaunchKernel", at_ns + 2_us, at_ns + 4_us, correlation);
}

/// A training step of 5 ms that does 2.1 TFLOP of model work.
TestTrace training_step() {
  TestTrace trace;
  trace.launch("cudaMemcpyAsync", 0, 2_us, 1);
  add_call(trace, "aten::mm", 10_us, 2, product_arguments);
  add_call(trace, "aten::mm", 30_us, 3, product_arguments);
  trace.frame("torch/utils/checkpoint.py(1102): recompute_fn", 45_us, 70_us);
  add_call(trace, "aten::mm", 50_us, 4, product_arguments);
  add_call(trace, "aten::mm", 80_us, 5, product_arguments);
  add_call(trace, "c10d::allreduce_", 100_us, 6);
  add_call(trace, "aten::mul", 120_us, 7, sum_arguments);
  add_call(trace, "mine::clip", 140_us, 8);
  add_call(trace, "mine::clip", 160_us, 9);
  trace.copy("Memcpy HtoD (Pinned -> Device)", 0, 100_us, 1);
  trace.kernel("nvjet_tst_192x192_64x4_1x2_h_bz_coopB_NNT", 100_us, 1100_us, 2);
  trace.kernel("nvjet_tst_192x192_64x4_1x2_h_bz_coopB_NNT", 1100_us, 2100_us, 3);
  trace.kernel("nvjet_tst_192x192_64x4_1x2_h_bz_coopB_NNT", 2100_us, 3000_us, 4);
  trace.kernel("nvjet_tst_192x192_64x4_1x2_h_bz_coopB_NNT", 3000_us, 4000_us, 5);
  trace.kernel("vectorized_elementwise_kernel", 4300_us, 4700_us, 7);
  trace.kernel("clip", 4700_us, 4800_us, 8).kernel("clip", 4950_us, 5000_us, 9);
  trace.stream(20).kernel("ncclDevKernel_AllReduce_Sum_bf16_RING_LL", 3900_us, 4300_us, 6);
  return trace;
}

/// The invariants that the headers state.
void check_adds_up(const Utilisation& part) {
  const LossWaterfall& waterfall = part.waterfall;
  WideSum sum = 0;
  for (const WaterfallRow& row : waterfall.rows) {
    CAPTURE(spelling_of(row.part));
    CHECK(row.time_ns >= 0);
    if (row.part > WaterfallPart::total_time && row.part <= WaterfallPart::achieved) sum += row.time_ns;
  }
  CHECK(waterfall.time_ns(WaterfallPart::total_time) == part.time_ns);
  CHECK(sum == part.time_ns);
  CHECK(waterfall.time_ns(WaterfallPart::achieved) + waterfall.time_ns(WaterfallPart::above_roofline) ==
        waterfall.time_ns(WaterfallPart::at_peak));
  CHECK(part.mfu.has_value() == part.hfu.has_value());
  if (!part.mfu) return;
  CHECK(*part.mfu <= *part.hfu);
  const double at_peak_ns = *part.mfu * static_cast<double>(part.time_ns);
  CHECK(std::abs(at_peak_ns - static_cast<double>(waterfall.time_ns(WaterfallPart::at_peak))) <=
        1 + 1e-12 * at_peak_ns);
}

void check_adds_up(const Efficiency& found) {
  check_adds_up(found.whole);
  WorkDone work = found.outside_steps;
  for (const StepUtilisation& step : found.by_step) {
    CAPTURE(step.name);
    check_adds_up(step.part);
    work.add(step.part.work);
  }
  CHECK(work == found.whole.work);
  WideSum model_flops = 0;
  WideSum without_peak = 0;
  double mfu = 0;
  for (const PeakUse& use : found.peaks) {
    model_flops += use.model_flops;
    if (!use.peak.tflops) without_peak += use.model_flops + use.recomputed_flops;
    mfu += use.mfu.value_or(0);
    CHECK(use.peak.tflops.has_value() == use.peak.reason.empty());
  }
  CHECK(model_flops <= found.whole.work.model_flops);
  CHECK(without_peak <= found.whole.work.flops_without_peak);
  // A call's time at peak is cut to whole femtoseconds, of a microsecond at the least.
  if (found.whole.mfu) CHECK(mfu == doctest::Approx(*found.whole.mfu).epsilon(1e-8));
}
}  // namespace

TEST_CASE("efficiency: a bf16 training step at 420 TFLOP/s on an H200 is at 42 % of the dense peak, not 21 %") {
  const EfficiencyScene scene(training_step().load(), h200());
  const Efficiency& found = scene.found;
  const Utilisation& whole = found.whole;
  CHECK(found.platform == "H200 SXM");
  CHECK(found.devices == 1);
  CHECK(whole.time_ns == 5000_us);
  CHECK(whole.work.model_flops == 3 * product_flops);
  CHECK(whole.work.recomputed_flops == product_flops);
  CHECK(whole.work.vector_flops == 100'000'000);
  CHECK(*whole.tflops_per_s == doctest::Approx(420).epsilon(1e-12));  // 2.1 TFLOP in 5 ms
  CHECK(*whole.mfu == doctest::Approx(420 / 989.5).epsilon(1e-9));
  CHECK(*whole.hfu == doctest::Approx(560 / 989.5).epsilon(1e-9));  // 2.8 TFLOP
  CHECK(whole.work.bytes_moved == 4 * product_bytes + 1'200'000'000);
  CHECK(whole.work.recomputed_bytes == product_bytes);
  CHECK(*whole.mbu == doctest::Approx(2.56 / (0.005 * 4800)).epsilon(1e-12));
  CHECK(found.bandwidth_gbps.value == 4800);
  REQUIRE(found.peaks.size() == 1);
  const PeakUse& use = found.peaks.front();
  CHECK(use.peak.spec == "matrix_bf16");
  CHECK(use.peak.answered_by == "matrix_bf16");
  CHECK(use.peak.tflops->value == 989.5);
  CHECK(use.peak.tflops->kind == perf_model::FigureKind::peak);
  CHECK(use.peak.tflops->status == perf_model::FigureStatus::verified);
  CHECK(use.peak.tflops->source.starts_with("NVIDIA H200 data sheet"));
  CHECK_FALSE(use.peak.is_estimated);
  CHECK(use.peak.notes ==
        std::vector<std::string>{
            "twice that, 1979 TFLOP/s, is the figure with 2:4 sparsity, which dense work cannot reach"});
  CHECK(use.model_flops == 3 * product_flops);
  CHECK(*use.mfu == doctest::Approx(420 / 989.5).epsilon(1e-12));
  check_adds_up(found);
}

TEST_CASE("efficiency: the waterfall of that step says where the other 58 % went") {
  const EfficiencyScene scene(training_step().load(), h200());
  const LossWaterfall& waterfall = scene.found.whole.waterfall;
  CHECK(waterfall.time_ns(WaterfallPart::total_time) == 5'000'000);
  CHECK(waterfall.time_ns(WaterfallPart::idle) == 150'000);                   // 4800 to 4950 us
  CHECK(waterfall.time_ns(WaterfallPart::exposed_communication) == 300'000);  // behind the product that hides 100
  CHECK(waterfall.time_ns(WaterfallPart::exposed_copies) == 100'000);
  CHECK(waterfall.time_ns(WaterfallPart::unmodelled_work) == 150'000);  // 100 + 50 of mine::clip
  CHECK(waterfall.time_ns(WaterfallPart::recompute) == 900'000);
  CHECK(waterfall.time_ns(WaterfallPart::memory_bound) == 250'000);  // 1.2 GB at 4800 GB/s, of 400 us
  CHECK(waterfall.time_ns(WaterfallPart::vector_work) == 0);
  // Three times 0.7 TFLOP: 880,503.145 ns at the 795 TFLOP/s that were measured, 707,427.994 ns at 989.5.
  CHECK(waterfall.time_ns(WaterfallPart::ceiling_below_peak) == 519'225);  // 3 x 173,075.151 = 519,225.452
  CHECK(waterfall.time_ns(WaterfallPart::achieved) == 2'122'283);          // 3 x 707,427.994 = 2,122,283.982
  // 3,400,000 of modelled calls less the three above.
  CHECK(waterfall.time_ns(WaterfallPart::kernel_inefficiency) == 508'492);
  CHECK(waterfall.time_ns(WaterfallPart::above_roofline) == 0);
  CHECK(waterfall.time_ns(WaterfallPart::at_peak) == 2'122'283);
  CHECK(waterfall.calls_above_roofline == 0);
  const UnmodelledWork& unmodelled = scene.found.whole.unmodelled;
  CHECK(unmodelled.names == 1);
  REQUIRE(unmodelled.operators.size() == 1);
  CHECK(unmodelled.operators.front().name == "mine::clip");
  CHECK_FALSE(unmodelled.operators.front().is_kernel);
  CHECK(unmodelled.operators.front().counted_ns == 150'000);
  CHECK(*unmodelled.operators.front().share == 0.03);
  CHECK(unmodelled.operators.front().reason == "not_modelled");
}

TEST_CASE("efficiency: each precision is held against its own peak, fp32 by how its kernel computes") {
  TestTrace trace;
  add_call(trace, "aten::mm", 0, 1, product_arguments);
  add_call(trace, "aten::mm", 20_us, 2, fp32_product_arguments);
  add_call(trace, "aten::mm", 40_us, 3, fp32_product_arguments);
  trace.kernel("nvjet_tst_192x192_64x4_1x2_h_bz_coopB_NNT", 0, 1000_us, 1);
  trace.kernel("sm90_xmma_gemm_f32f32_tf32f32_f32_nn_n", 1000_us, 3000_us, 2);
  trace.kernel("sm80_xmma_gemm_f32f32_f32f32_f32_nn_n", 3000_us, 20'000_us, 3);
  const EfficiencyScene scene(trace.load(), h200());
  const Efficiency& found = scene.found;
  REQUIRE(found.peaks.size() == 3);  // as many FLOPs each: by spec, then by what answers
  CHECK(found.peaks[0].peak.answered_by == "matrix_bf16");
  CHECK(found.peaks[1].peak.spec == "matrix_fp32");
  CHECK(found.peaks[1].peak.answered_by == "matrix_tf32");
  CHECK(found.peaks[1].peak.tflops->value == 494.5);
  CHECK(found.peaks[1].peak.notes ==
        std::vector<std::string>{
            "the products of fp32 operands run in TF32",
            "twice that, 989 TFLOP/s, is the figure with 2:4 sparsity, which dense work cannot reach"});
  CHECK(found.peaks[2].peak.spec == "matrix_fp32");
  CHECK(found.peaks[2].peak.answered_by == "vector_fp32");
  CHECK(found.peaks[2].peak.tflops->value == 67);
  // 0.7 TFLOP of each in 20 ms: 35 TFLOP/s.
  CHECK(*found.whole.mfu == doctest::Approx(35 / 989.5 + 35 / 494.5 + 35 / 67.0).epsilon(1e-9));
  check_adds_up(found);
}

TEST_CASE("efficiency: matrix work whose peak nobody knows is named with the reason, and in neither figure") {
  TestTrace trace;
  add_call(trace, "aten::mm", 0, 1, product_arguments);
  trace.kernel("gemm", 0, 1000_us, 1);
  const EfficiencyScene scene(trace.load(), perf_model::known_platform("V100 SXM2 16GB"));
  REQUIRE(scene.found.peaks.size() == 1);
  CHECK(scene.found.peaks.front().peak.reason == "no matrix_bf16 path on V100 SXM2 16GB");
  CHECK(scene.found.whole.work.flops_without_peak == product_flops);
  CHECK(scene.found.whole.mfu == Known<double>(Reason::not_applicable));
  // The memory's time is left as its roofline: 340 MB at 900 GB/s.
  CHECK(scene.found.whole.waterfall.time_ns(WaterfallPart::memory_bound) == 377'777);
  check_adds_up(scene.found);
}

TEST_CASE("efficiency: a platform without published peak is held against its measurement, which is said") {
  perf_model::Platform platform = h200();
  platform.compute.at("matrix_bf16").peak.reset();
  TestTrace trace;
  add_call(trace, "aten::mm", 0, 1, product_arguments);
  trace.kernel("gemm", 0, 1000_us, 1);
  const EfficiencyScene scene(trace.load(), platform);
  REQUIRE(scene.found.peaks.size() == 1);
  CHECK(scene.found.peaks.front().peak.tflops->value == 795);
  CHECK(scene.found.peaks.front().peak.tflops->kind == perf_model::FigureKind::measured);
  CHECK(scene.found.peaks.front().peak.notes ==
        std::vector<std::string>{"no peak of matrix_bf16 is known: held against what a run reached"});
  CHECK(scene.found.whole.waterfall.time_ns(WaterfallPart::ceiling_below_peak) == 0);
}

TEST_CASE("efficiency: devices are measured apart, so that none hides another") {
  TestTrace trace;
  for (const std::int64_t device : {0, 1}) {
    add_call(trace, "aten::mm", 20_us * device, 1 + 2 * device, product_arguments);
    trace.stream(7, device).kernel("gemm", 0, 1000_us, 1 + 2 * device);
  }
  add_call(trace, "mine::late", 60_us, 9);
  trace.stream(7, 1).kernel("late", 1500_us, 2000_us, 9);
  const EfficiencyScene scene(trace.load(), h200());
  CHECK(scene.found.devices == 2);
  CHECK(scene.found.whole.time_ns == 1000_us + 2000_us);
  CHECK(*scene.found.whole.mfu == doctest::Approx(2 * 0.7 / 0.003 / 989.5).epsilon(1e-9));
  CHECK(scene.found.whole.waterfall.time_ns(WaterfallPart::idle) == 500_us);
  CHECK(scene.found.whole.waterfall.time_ns(WaterfallPart::unmodelled_work) == 500_us);
  // Both products: neither is hidden behind the other.
  CHECK(scene.found.whole.waterfall.calls_above_roofline == 0);
  check_adds_up(scene.found);
}

TEST_CASE("efficiency: products that hide one another are cut to the time they have, and told") {
  TestTrace trace;
  add_call(trace, "aten::mm", 0, 1, product_arguments);
  add_call(trace, "aten::mm", 20_us, 2, product_arguments);
  trace.stream(7).kernel("gemm", 0, 1000_us, 1).stream(8).kernel("gemm", 100_us, 1000_us, 2);
  const EfficiencyScene scene(trace.load(), h200());
  const LossWaterfall& waterfall = scene.found.whole.waterfall;
  CHECK(waterfall.calls_above_roofline == 1);
  CHECK(waterfall.above_roofline_excess_ns == 880'503);  // at the measured ceiling, of no time that counts
  CHECK(waterfall.time_ns(WaterfallPart::achieved) == 707'427);
  CHECK(waterfall.time_ns(WaterfallPart::at_peak) == 1'414'855);  // twice 707,427.994
  CHECK(*scene.found.whole.mfu == doctest::Approx(1.4 / 0.001 / 989.5).epsilon(1e-9));
  check_adds_up(scene.found);
}

TEST_CASE("efficiency: a step lasts until the next one's work begins, and work between steps is told apart") {
  TestTrace trace;
  trace.annotation("ProfilerStep#1", 0, 100_us).annotation("ProfilerStep#2", 100_us, 200_us);
  add_call(trace, "aten::mm", 10_us, 1, product_arguments);
  add_call(trace, "aten::mm", 110_us, 2, product_arguments);
  add_call(trace, "mine::metric", 130_us, 3);
  add_call(trace, "aten::mm", 210_us, 4, product_arguments);
  trace.kernel("gemm", 1000_us, 2000_us, 1).kernel("gemm", 2500_us, 3500_us, 2).kernel("metric", 3500_us, 3600_us, 3);
  trace.kernel("gemm", 3700_us, 4700_us, 4);
  const EfficiencyScene scene(trace.load(), h200());
  const Efficiency& found = scene.found;
  REQUIRE(found.by_step.size() == 2);
  CHECK(found.by_step[0].name == "ProfilerStep#1");
  CHECK(found.by_step[0].part.time_ns == 1500_us);  // until 2500
  CHECK(found.by_step[0].part.waterfall.time_ns(WaterfallPart::idle) == 500_us);
  CHECK(*found.by_step[0].part.mfu == doctest::Approx(0.7 / 0.0015 / 989.5).epsilon(1e-9));
  CHECK(found.by_step[1].part.time_ns == 1100_us);  // the last: until its own end
  CHECK(found.by_step[1].part.waterfall.time_ns(WaterfallPart::unmodelled_work) == 100_us);
  CHECK(found.outside_steps.model_flops == product_flops);
  CHECK(found.whole.work.model_flops == 3 * product_flops);
  CHECK(found.whole.time_ns == 3700_us);
  check_adds_up(found);
}

TEST_CASE("efficiency: a step that runs into the next one's work lasts until its own ends") {
  TestTrace trace;
  trace.annotation("ProfilerStep#1", 0, 100_us).annotation("ProfilerStep#2", 100_us, 200_us);
  add_call(trace, "aten::mm", 10_us, 1, product_arguments);
  trace.launch("cudaMemcpyAsync", 105_us, 106_us, 2);
  add_call(trace, "aten::mm", 110_us, 3, product_arguments);
  trace.kernel("gemm", 1000_us, 2000_us, 1).kernel("gemm", 2000_us, 3000_us, 3);
  trace.stream(9).copy("Memcpy HtoD (Pinned -> Device)", 1100_us, 1200_us, 2);  // fetched ahead
  const EfficiencyScene scene(trace.load(), h200());
  REQUIRE(scene.found.by_step.size() == 2);
  CHECK(scene.found.by_step[0].part.time_ns == 1000_us);
  CHECK(scene.found.by_step[1].part.time_ns == 1900_us);
  // In the whole the copy is hidden; of its own step nothing ran beside it.
  CHECK(scene.found.by_step[1].part.waterfall.time_ns(WaterfallPart::exposed_copies) == 100_us);
  CHECK(scene.found.whole.waterfall.time_ns(WaterfallPart::exposed_copies) == 0);
  check_adds_up(scene.found);
}

TEST_CASE("efficiency: a call across the end of its step is of the step in which its first kernel was launched") {
  TestTrace trace;
  trace.annotation("ProfilerStep#1", 0, 100_us).annotation("ProfilerStep#2", 100_us, 200_us);
  trace.op("aten::mm", 90_us, 130_us, product_arguments);
  trace.launch("cudaLaunchKernel", 92_us, 94_us, 1).launch("cudaLaunchKernel", 120_us, 122_us, 2);
  add_call(trace, "mine::metric", 140_us, 3);
  trace.kernel("gemm", 1000_us, 2000_us, 1).kernel("split_k_reduce", 2000_us, 2100_us, 2);
  trace.kernel("metric", 2200_us, 2300_us, 3);
  const EfficiencyScene scene(trace.load(), h200());
  REQUIRE(scene.found.by_step.size() == 2);
  CHECK(scene.found.by_step[0].part.time_ns == 1200_us);  // 1000 to 2200, the reduction within
  CHECK(scene.found.by_step[0].part.waterfall.time_ns(WaterfallPart::idle) == 100_us);
  CHECK(scene.found.by_step[0].part.work.calls == 1);
  CHECK(scene.found.by_step[1].part.time_ns == 100_us);
  CHECK(scene.found.by_step[1].part.work.calls == 1);
  check_adds_up(scene.found);
}

TEST_CASE("efficiency: a call that nobody timed is in no figure, and a trace without times has no rates") {
  TestTrace trace;
  add_call(trace, "aten::mm", 0, 1, product_arguments);
  trace.kernel("gemm", 0, 0, 1);  // start and duration 0: not timed
  const EfficiencyScene scene(trace.load(), h200());
  CHECK(scene.found.untimed_calls == 1);
  CHECK(scene.found.devices == 0);
  Utilisation nothing;
  nothing.waterfall = LossSums().finish(0);
  CHECK(scene.found.whole == nothing);
  CHECK(scene.found.peaks.empty());
}

TEST_CASE("efficiency: work that no operator launched goes by its kernel's name") {
  TestTrace trace;
  trace.launch("cudaLaunchKernel", 0, 2_us, 1).launch("cudaLaunchKernel", 4_us, 6_us, 2);
  trace.kernel("lonely", 10_us, 20_us, 1).kernel("longer", 20_us, 50_us, 2);
  const EfficiencyScene scene(trace.load(), h200());
  const UnmodelledWork& unmodelled = scene.found.whole.unmodelled;
  REQUIRE(unmodelled.operators.size() == 2);
  CHECK(unmodelled.operators[0].name == "longer");
  CHECK(unmodelled.operators[0].is_kernel);
  CHECK(unmodelled.operators[1].name == "lonely");
  CHECK(scene.found.whole.waterfall.time_ns(WaterfallPart::unmodelled_work) == 40_us);
}

TEST_CASE("efficiency: a copy's time is in exposed copies, and it is not asked whether it beat its roofline") {
  TestTrace trace;
  trace.op("aten::copy_", 0, 10_us,
           R"("Input Dims": [[1000], [1000]], "Input type": ["float", "float"], "Input Strides": [[1], [1]])");
  trace.launch("cudaMemcpyAsync", 1_us, 2_us, 1).copy("Memcpy HtoD (Pinned -> Device)", 100_us, 140_us, 1);
  const EfficiencyScene scene(trace.load(), h200());
  const LossWaterfall& waterfall = scene.found.whole.waterfall;
  CHECK(scene.found.whole.work.bytes_moved == 8'000);
  CHECK(waterfall.time_ns(WaterfallPart::exposed_copies) == 40_us);
  CHECK(waterfall.calls_above_roofline == 0);
  CHECK(waterfall.above_roofline_excess_ns == 0);
  check_adds_up(scene.found);
}

TEST_CASE("efficiency: rows add up, and steps to the whole, on every recorded trace whose platform is known") {
  std::size_t traces = 0;
  for (const std::string& name : shared_trace_names()) {
    CAPTURE(name);
    TableScene recorded = recorded_scene(name);
    const auto platform = perf_model::detect_platform(recorded.trace->metadata()).platform;
    if (!platform) continue;
    ++traces;
    const EfficiencyScene scene(std::move(recorded), *platform);
    check_adds_up(scene.found);
    if (scene.found.devices != 1) continue;
    const Timeline timeline = measure_timeline(*scene.scene.trace, *scene.scene.buckets, scene.scene.input->events());
    const LossWaterfall& waterfall = scene.found.whole.waterfall;
    CHECK(waterfall.time_ns(WaterfallPart::total_time) == timeline.total_ns);
    CHECK(waterfall.time_ns(WaterfallPart::idle) == timeline.idle_ns);
    CHECK(waterfall.time_ns(WaterfallPart::exposed_communication) == timeline.exposed_communication_ns);
    CHECK(waterfall.time_ns(WaterfallPart::exposed_copies) == timeline.exposed_memcpy_ns);
  }
  CHECK(traces > 0);
}
}  // namespace kinetoscope::analysis
