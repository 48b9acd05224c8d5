// What is fused with RMS normalization. x = bf16[4,7168] has E = 28672; alone: 4 (2 * 7168 + 2) + 2 E = 114696 FLOPs.

#include "core/perf_model/families/rms_norm.hpp"

#include <doctest/doctest.h>

#include "tests/support/model_calls.hpp"

namespace kinetoscope::perf_model {
namespace {

const Operand rms_x = bf16({4, 7168});
const Operand rms_w = bf16({7168});
}  // namespace

TEST_CASE("rms norm: operators differ in where x and the weight stand") {
  const Estimate first = estimate_named("aiter::rms_norm", {rms_x, rms_w});
  CHECK(first.flops == 114696);
  CHECK(first.bytes_moved == 129024);  // 2 (2 E + 7168)
  const Estimate behind = estimate_named("aiter::rmsnorm", {bf16({4, 7168}), rms_x, rms_w});
  CHECK(behind.flops == first.flops);
  CHECK(behind.bytes_moved == first.bytes_moved);
}

TEST_CASE("rms norm: a residual is added, read and written") {
  const Estimate found = estimate_named("aiter::add_rmsnorm", {rms_x, rms_x, rms_x, rms_x, rms_w});
  CHECK(found.flops == 143368);        // and E
  CHECK(found.bytes_moved == 243712);  // 2 (4 E + 7168)
}

TEST_CASE("rms norm: scales count for each group, or for the row where the group is no number") {
  const auto quantised = [](const char* group) {
    return estimate_named("aiter::rmsnorm_quant", {fp8({4, 7168}), rms_x, f32({4, 56}), rms_w}, {{5, group}});
  };
  CHECK(quantised("128").flops == 172040);         // and 2 E
  CHECK(quantised("128").bytes_moved == 101248);   // 2 (E + 7168) + E + 4 * 4 * 56
  CHECK(quantised("1000").bytes_moved == 100480);  // 8 groups, the last one partly filled
  for (const char* const row : {"", "0", "-1", "False?"}) CHECK(quantised(row).bytes_moved == 100368);

  const auto grouped = [](const char* group) {
    return estimate_named("vllm::rocm_aiter_rmsnorm_fp8_group_quant", {rms_x, rms_w}, {{3, group}});
  };
  CHECK(grouped("128").bytes_moved == 101248);
  CHECK(grouped("").gap == Gap::argument_not_recorded);
  CHECK(grouped("0").bytes_moved == 100368);
  CHECK(grouped("all").gap == Gap::literal_not_fitting);
  const Estimate added =
      estimate_named("vllm::rocm_aiter_rmsnorm_with_add_fp8_group_quant", {rms_x, rms_x, rms_w}, {{4, "128"}});
  CHECK(added.flops == 200712);        // and 3 E
  CHECK(added.bytes_moved == 215936);  // 2 (3 E + 7168) + E + 4 * 4 * 56
}

TEST_CASE("rms norm: rows are padded to a multiple") {
  const auto padded = [](const char* pad) {
    return estimate_named("aiter::fused_add_rmsnorm_pad_", {bf16({64, 2880}), bf16({2880}), absent(), bf16({64, 2880})},
                          {{4, pad}});
  };
  CHECK(padded("256").flops == 921728);         // 64 * 5762 + 3 * 184320
  CHECK(padded("256").bytes_moved == 1504896);  // 2 (3 * 184320 + 2880 + 64 * 3072)
  CHECK(padded("0").bytes_moved == 1480320);    // 2 (4 * 184320 + 2880)
  CHECK(padded("").gap == Gap::argument_not_recorded);
}

TEST_CASE("rms norm: MXFP4 has half a byte a value; a second operand and a residual count where they are") {
  const std::vector<Operand> both = {bf16({64, 1536}), bf16({1536}), absent(), bf16({64, 512}), bf16({512})};
  const Estimate second = estimate_named("aiter::_fuse_rmsnorm_fp4_quant", both);
  CHECK(second.flops == 721066);        // 64 * 3074 + 4 * 98304 + floor(393344 * 64 * 512 / 98304)
  CHECK(second.bytes_moved == 384000);  // 2 (98304 + 1536) + 49152 + 3072 + 2 (2 * 32768 + 512)
  const Estimate residual =
      estimate_named("aiter::_fuse_rmsnorm_fp4_quant",
                     {bf16({64, 7168}), bf16({7168}), absent(), absent(), absent(), absent(), bf16({64, 7168})});
  CHECK(residual.flops == 3211392);        // 64 * 14338 + 5 * 458752
  CHECK(residual.bytes_moved == 3010560);  // 2 (3 * 458752 + 7168) + 229376 + 14336
}

TEST_CASE("rms norm: a weight of no channels is refused") {
  const Estimate found = estimate_named("aiter::rms_norm", {bf16({4, 0}), bf16({0})});
  CHECK(found.gap == Gap::shape_not_fitting);
  CHECK(found.gap_detail == "weight is (0,)");
}
}  // namespace kinetoscope::perf_model
