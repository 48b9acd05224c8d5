// How much GPU work comes with what a question needs, in trees with and without pseudo-operators.

#include "core/analysis/gpu_coverage.hpp"

#include <doctest/doctest.h>

#include "tests/support/trace_builder.hpp"

namespace kinetoscope::analysis {
namespace {

GpuCoverage coverage_of(const Trace& trace, bool with_pseudo_operators) {
  const CallTree tree = CallTree::build(trace, {.with_pseudo_operators = with_pseudo_operators});
  REQUIRE(tree.pseudo_operators().empty() != with_pseudo_operators);
  return measure_coverage(tree, GpuBuckets(trace));
}

constexpr std::string_view shapes = R"("Input Dims": [[32, 4096], [8, 128]], "Input type": ["c10::BFloat16", "float"])";
}  // namespace

TEST_CASE("GPU coverage: work below an isolated kernel's operator has what its donor has") {
  const Trace trace = TestTrace()
                          .op("vllm::moe_forward", 0, 100_us, shapes)
                          .launch("hipLaunchKernel", 20_us, 22_us, 11)
                          .launch("hipLaunchKernel", 30_us, 32_us, 12)
                          .kernel("_matmul_ogs_NNT_bf16xbf16xmxfp4_16x128", 300_us, 350_us, 11)
                          .kernel("other", 400_us, 410_us, 12)
                          .load();
  const GpuCoverage coverage = coverage_of(trace, true);
  CHECK(coverage == coverage_of(trace, false));  // the donor is around it anyway
  CHECK(coverage.operators == GpuShare{2, 60_us});
  CHECK(coverage.shaped == GpuShare{2, 60_us});
  CHECK(coverage.described == GpuShare{});
}

TEST_CASE("GPU coverage: a frame's operator gives the shapes of its donor to all that the frame calls") {
  const Trace trace = TestTrace()
                          .frame("/opt/aiter/mla.py(42): mla_decode_fwd", 0, 100_us)
                          .op("aiter::mla_decode_stage1_asm_fwd", 10_us, 40_us, shapes)
                          .launch("hipLaunchKernel", 20_us, 22_us, 11)
                          .op("aiter::mla_reduce", 50_us, 60_us)
                          .launch("hipLaunchKernel", 51_us, 52_us, 12)
                          .launch("hipLaunchKernel", 70_us, 72_us, 13)  // by the frame itself
                          .kernel("mla_a", 1000_us, 1100_us, 11)
                          .kernel("mla_b", 1200_us, 1210_us, 12)
                          .kernel("mla_c", 1400_us, 1401_us, 13)
                          .load();
  const GpuCoverage recorded = coverage_of(trace, false);
  CHECK(recorded.operators == GpuShare{2, 110_us});
  CHECK(recorded.shaped == GpuShare{1, 100_us});
  const GpuCoverage with_pseudo = coverage_of(trace, true);
  CHECK(with_pseudo.operators == GpuShare{3, 111_us});
  CHECK(with_pseudo.shaped == GpuShare{3, 111_us});
  CHECK(with_pseudo.frames == recorded.frames);
  CHECK(with_pseudo.frames == GpuShare{3, 111_us});
}
}  // namespace kinetoscope::analysis
