#include "core/analysis/operator_categories.hpp"

#include <string>

#include <doctest/doctest.h>

#include "tests/support/trace_builder.hpp"

namespace kinetoscope::analysis {
namespace {

/// The category of who launched the kernel of this name.
std::string category_of(const Trace& trace, std::string_view kernel) {
  const CallTree tree = CallTree::build(trace);
  OperatorCategories categories(tree, perf_model::operator_registry());
  const EventId event = event_named(trace, kernel);
  return std::string(perf_model::operator_registry().spelling_of(categories.of(tree.launcher(event), event)));
}

constexpr std::string_view elementwise = "void at::native::vectorized_elementwise_kernel<4>(int)";
}  // namespace

TEST_CASE("operator categories: the inside of a registered operator is what the operator is") {
  const Trace trace = TestTrace()
                          .op("aten::_scaled_dot_product_flash_attention", 0, 100_us)
                          .op("aten::_flash_attention_forward", 10_us, 90_us)
                          .launch("cudaLaunchKernel", 20_us, 21_us, 1)
                          .kernel("flash_fwd_kernel", 30_us, 60_us, 1)
                          .load();
  CHECK(category_of(trace, "flash_fwd_kernel") == "SDPA_fwd");
}

TEST_CASE("operator categories: a kernel that says what it is goes before what is around it") {
  const Trace trace = TestTrace()
                          .op("aten::layer_norm", 0, 100_us)
                          .op("aten::fill_", 10_us, 90_us)
                          .launch("cudaLaunchKernel", 20_us, 21_us, 1)
                          .kernel(elementwise, 30_us, 60_us, 1)
                          .load();
  CHECK(category_of(trace, elementwise) == "elementwise");
}

TEST_CASE("operator categories: the operator's own name goes before its kernel's") {
  const Trace trace = TestTrace()
                          .op("aten::addmm", 0, 100_us)
                          .launch("cudaLaunchKernel", 20_us, 21_us, 1)
                          .kernel(elementwise, 30_us, 60_us, 1)
                          .load();
  CHECK(category_of(trace, elementwise) == "GEMM");
}

TEST_CASE("operator categories: what nothing is known of is other, and so is a runtime call of its own") {
  const Trace trace = TestTrace()
                          .op("my::outer", 0, 100_us)
                          .op("my::inner", 10_us, 90_us)
                          .launch("cudaLaunchKernel", 20_us, 21_us, 1)
                          .launch("cudaGraphLaunch", 200_us, 210_us, 2)
                          .kernel("mystery", 30_us, 60_us, 1)
                          .kernel("replayed", 230_us, 260_us, 2)
                          .load();
  CHECK(category_of(trace, "mystery") == "other");
  CHECK(category_of(trace, "replayed") == "other");
}

TEST_CASE("operator categories: walks that meet give the same answer as walks alone") {
  TestTrace built;
  built.op("aten::layer_norm", 0, 1'000_us).op("my::outer", 1_us, 999_us);
  for (std::int64_t i = 0; i < 3; ++i) {
    built.op("my::inner", 10_us + i * 100_us, 60_us + i * 100_us);
    built.launch("cudaLaunchKernel", 20_us + i * 100_us, 21_us + i * 100_us, i + 1);
  }
  for (std::int64_t i = 0; i < 3; ++i) built.kernel("k", 30_us + i * 100_us, 60_us + i * 100_us, i + 1);
  const Trace trace = built.load();
  const CallTree tree = CallTree::build(trace);
  OperatorCategories categories(tree, perf_model::operator_registry());
  for (const EventId event : trace.gpu_events()) {
    CHECK(perf_model::operator_registry().spelling_of(categories.of(tree.launcher(event), event)) == "NORM_fwd");
  }
}
}  // namespace kinetoscope::analysis
