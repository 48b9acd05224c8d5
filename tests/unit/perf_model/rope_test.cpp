#include "core/perf_model/families/rope.hpp"

#include <doctest/doctest.h>

#include "tests/support/model_calls.hpp"

namespace kinetoscope::perf_model {

TEST_CASE("rope: a head is rotated as far as the table of angles is wide") {
  const auto rotary = [](std::int64_t width, const char* head) {
    return estimate_named("sgl_kernel::rotary_embedding",
                          {absent(), bf16({64, 5120}), bf16({64, 1024}), absent(), bf16({32768, width})}, {{3, head}});
  };
  CHECK(rotary(128, "128").flops == 1179648);        // 3 * 64 * (40 + 8) * 128
  CHECK(rotary(128, "128").bytes_moved == 1572864);  // 2 * 2 * 64 * 48 * 128
  CHECK(rotary(64, "128").flops == 589824);          // half of each head
  CHECK(rotary(128, "").flops == 24576);             // one head as wide as the queries, none of keys: 3 * 64 * 128
  CHECK(rotary(128, "0").gap == Gap::literal_not_fitting);
}

TEST_CASE("rope: both operands count, results that are passed do not") {
  const Estimate found =
      estimate_named("aiter::rope_cached_positions_2c_fwd_impl",
                     {bf16({1, 64, 32, 128}), bf16({1, 64, 8, 128}), bf16({1, 64, 32, 128}), bf16({1, 64, 8, 128})});
  CHECK(found.flops == 983040);         // 3 * 64 * 40 * 128
  CHECK(found.bytes_moved == 1310720);  // 2 * 2 * 64 * 40 * 128
  CHECK(estimate_named("FusedRoPEFunc", {bf16({4096, 2, 32})}).gap == Gap::shape_not_fitting);
}

TEST_CASE("rope: a latent cache is written in its own type, results in theirs") {
  const auto joined = [](const Operand& cache) {
    return estimate_named("aiter::fused_qk_rope_cat_and_cache_mla",
                          {bf16({64, 16, 512}), bf16({64, 16, 64}), bf16({64, 1, 512}), bf16({64, 1, 64}), cache});
  };
  CHECK(joined(fp8({1000, 1, 576})).flops == 208896);         // 3 * 64 * 64 * 17
  CHECK(joined(fp8({1000, 1, 576})).bytes_moved == 2469888);  // 64 * 576 (2 * 17 + 2 * 16 + 1)
  CHECK(joined(absent()).bytes_moved == 2506752);             // the cache as the queries
  const Estimate quantised = estimate_named("aiter::fused_qk_rope_concat_and_cache_mla",
                                            {bf16({64, 16, 512}), bf16({64, 16, 64}), bf16({64, 512}), bf16({64, 64}),
                                             fp8({1000, 1, 576}), fp8({64, 16, 576})});
  CHECK(quantised.bytes_moved == 1880064);  // 64 * 576 (2 * 17 + 16 + 1)
}

TEST_CASE("cache store: moving computes nothing, and that is a figure") {
  const Estimate found = estimate_named("sglang::store_cache", {bf16({64, 5120}), bf16({64, 5120})});
  CHECK(found.flops == 0);
  CHECK(found.bytes_moved == 2621440);  // 4 * 2 * 64 * 5120
  CHECK(found.quality == Quality::exact);
}
}  // namespace kinetoscope::perf_model
