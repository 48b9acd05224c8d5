#include "core/perf_model/expert_sizes.hpp"

#include <doctest/doctest.h>

#include "tests/support/model_calls.hpp"

namespace kinetoscope::perf_model {
namespace {

ExpertSizes routed_to(double experts, double per_token, double tokens) {
  return {.tokens = tokens, .experts = experts, .experts_per_token = per_token};
}
}  // namespace

TEST_CASE("expert sizes: active experts are the expectation of a uniform choice") {
  // One token finds its k experts. Of four experts, two tokens with two each leave one unread with chance 1/2 * 1/2:
  // 4 (1 - 1/4) = 3.
  CHECK(active_experts(routed_to(4, 2, 1)) == 2);
  CHECK(active_experts(routed_to(4, 2, 2)) == 3);
  CHECK(active_experts(routed_to(4, 1, 2)) == 1.75);  // 4 (1 - 9/16)
  CHECK(active_experts(routed_to(8, 8, 5)) == 8);
  CHECK(active_experts(routed_to(8, 2, 0)) == 0);
}

TEST_CASE("expert sizes: more experts a token than there are, or none, are refused") {
  CHECK_THROWS_AS(static_cast<void>(active_experts(routed_to(4, 5, 1))), NoEstimate);
  CHECK_THROWS_AS(static_cast<void>(active_experts(routed_to(4, 0, 1))), NoEstimate);
  CHECK_THROWS_AS(static_cast<void>(active_experts(routed_to(0, 1, 1))), NoEstimate);
}

TEST_CASE("expert sizes: packed weights have their logical sizes, and twice the width between is a gate") {
  ExpertSizes sizes;
  // Two 4-bit values a byte: 3584 bytes are K = 7168, 128 bytes are N = 256; 512 rows are two halves of 256.
  read_both_weights(tensor_of("c10::Float4_e2m1fn_x2", {257, 512, 3584}),
                    tensor_of("c10::Float4_e2m1fn_x2", {257, 7168, 128}), sizes);
  CHECK(sizes == ExpertSizes{.hidden = 7168, .intermediate = 256, .experts = 257, .is_gated = true});
  // Eight 4-bit values an int: 512 are K = 4096, 896 are N = 7168, as many as rows: no gate.
  read_both_weights(tensor_of("int", {8, 7168, 512}), tensor_of("int", {8, 4096, 896}), sizes);
  CHECK(sizes == ExpertSizes{.hidden = 4096, .intermediate = 7168, .experts = 8, .is_gated = false});
}

TEST_CASE("expert sizes: weights whose widths do not fit are refused") {
  ExpertSizes sizes;
  for (const std::int64_t stored : {0, 17}) {
    CHECK_THROWS_AS(read_both_weights(tensor_of("float", {2, 8, stored}), tensor_of("float", {2, 16, 8}), sizes),
                    NoEstimate);
  }
}
}  // namespace kinetoscope::perf_model
