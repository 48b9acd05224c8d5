#include "core/perf_model/attention_pairs.hpp"

#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

namespace kinetoscope::perf_model {
namespace {

/// The definition, pair by pair.
AttentionPairs pairs_by_loops(std::int64_t queries, std::int64_t keys, const AttentionMask& mask) {
  AttentionPairs out;
  std::vector<bool> is_reached(static_cast<std::size_t>(keys), false);
  for (std::int64_t query = 0; query < queries; ++query) {
    const std::int64_t position = mask.corner == MaskCorner::bottom_right ? query + keys - queries : query;
    for (std::int64_t key = 0; key < keys; ++key) {
      if (mask.left && key < position - *mask.left) continue;
      if (mask.right && key > position + *mask.right) continue;
      out.pairs += 1;
      is_reached[static_cast<std::size_t>(key)] = true;
    }
  }
  out.keys_reached = static_cast<double>(std::ranges::count(is_reached, true));
  return out;
}

constexpr AttentionMask causal_mask = {.right = 0};
}  // namespace

TEST_CASE("attention pairs: equal to a count by loops for all small sizes, corners and windows") {
  const std::vector<std::optional<std::int64_t>> reaches = {{}, 0, 1, 2, 3, 5, 9};
  for (const MaskCorner corner : {MaskCorner::bottom_right, MaskCorner::top_left}) {
    for (const auto& left : reaches) {
      for (const auto& right : reaches) {
        for (std::int64_t queries = 0; queries <= 8; ++queries) {
          for (std::int64_t keys = 0; keys <= 8; ++keys) {
            const AttentionMask mask = {left, right, corner};
            const AttentionPairs found = attention_pairs(static_cast<double>(queries), static_cast<double>(keys), mask);
            const AttentionPairs wanted = pairs_by_loops(queries, keys, mask);
            if (found == wanted) continue;
            CAPTURE(queries);
            CAPTURE(keys);
            CAPTURE(left.value_or(-1));
            CAPTURE(right.value_or(-1));
            CAPTURE(corner == MaskCorner::top_left);
            CHECK(found.pairs == wanted.pairs);
            CHECK(found.keys_reached == wanted.keys_reached);
          }
        }
      }
    }
  }
}

TEST_CASE("attention pairs: a causal square is its lower triangle with the diagonal") {
  CHECK(attention_pairs(559, 559, causal_mask).pairs == 156520);  // 559 x 560 / 2
  CHECK(attention_pairs(1, 128, causal_mask).pairs == 128);       // the one query stands at the last key
  CHECK(attention_pairs(1, 128, {.right = 0, .corner = MaskCorner::top_left}) == AttentionPairs{1, 1});
}

TEST_CASE("attention pairs: sizes of a million tokens are exact") {
  CHECK(attention_pairs(1048576, 1048576, causal_mask).pairs == 549756338176);  // 2^20 (2^20 + 1) / 2
  // Each query 4096 keys and itself, but the first 4096 lack 4096, 4095, ... 1 of them.
  CHECK(attention_pairs(1048576, 1048576, {.left = 4096, .right = 0}).pairs == 1048576.0 * 4097 - 4096.0 * 4097 / 2);
}
}  // namespace kinetoscope::perf_model
