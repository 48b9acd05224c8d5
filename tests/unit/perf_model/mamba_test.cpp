#include "core/perf_model/families/mamba.hpp"

#include <doctest/doctest.h>

#include "tests/support/model_calls.hpp"

namespace kinetoscope::perf_model {
namespace {

std::vector<Operand> mamba_operands(std::int64_t width) {
  return {bf16({2, 4096, width}), bf16({4352, 4}), bf16({4352}), bf16({64}), f32({64}), bf16({64})};
}
}  // namespace

TEST_CASE("mamba: the state's size follows from the width, and the backward work is twice as much") {
  // N = (8512 - 2 * 64 * 64 - 64) / 2 = 128; for each of 8192 tokens 2 * 4352 * 4 + 2 * 256 * 128 + 2 * 4096 * 256 +
  // 4 * 4096 * 128 = 4294656 FLOPs
  const std::map<std::size_t, std::string> literals = {{6, "256"}, {15, "64"}, {16, "1"}};
  const Estimate forward = estimate_named("MambaSplitConv1dScanCombinedFn", mamba_operands(8512), literals);
  CHECK(forward.flops == 35181821952);
  CHECK(forward.bytes_moved == 206613504);  // 2 (8192 * 8512 + 4352 * 5 + 64 * 2 + 8192 * 4096) + 4 * 64
  CHECK(forward.quality == Quality::exact);
  const Estimate backward = backward_named("MambaSplitConv1dScanCombinedFn", mamba_operands(8512), literals);
  CHECK(backward.flops == 70363643904);
  CHECK(backward.bytes_moved == 413227008);
  CHECK(backward.quality == Quality::average_case);
}

TEST_CASE("mamba: sizes that are not recorded are assumed, and the estimate says so") {
  const Estimate found = estimate_named("MambaSplitConv1dScanCombinedFn", mamba_operands(8512));
  CHECK(found.flops == 26323451904);  // chunks of 128 tokens: 8192 (34816 + 32768 + 1048576 + 2097152)
  CHECK(found.notes.has(Note::size_assumed));
}

TEST_CASE("mamba: a width that leaves no state is refused") {
  for (const std::int64_t width : {8511, 8257, 8256, 100}) {
    CAPTURE(width);
    CHECK(estimate_named("MambaSplitConv1dScanCombinedFn", mamba_operands(width)).gap == Gap::shape_not_fitting);
  }
}

TEST_CASE("causal convolution: it runs in the vector lanes, with a bias where there is one") {
  const Estimate plain = estimate_named("DaoAILab::_causal_conv1d_fwd_cpp", {bf16({2, 128, 512}), bf16({128, 4})});
  CHECK(plain.flops == 1048576);       // 2 * 131072 * 4
  CHECK(plain.bytes_moved == 525312);  // 2 (2 * 131072 + 512)
  CHECK(compute_spec(plain.unit, plain.precision) == "vector_bf16");
  const Estimate biased =
      estimate_named("DaoAILab::_causal_conv1d_fwd_cpp", {bf16({2, 128, 512}), bf16({128, 4}), bf16({128})});
  CHECK(biased.bytes_moved == 525568);  // and 2 * 128
}
}  // namespace kinetoscope::perf_model
