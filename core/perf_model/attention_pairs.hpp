#pragma once

// How many (query, key) pairs an attention call works on under a causal mask and a sliding window, and how many keys
// any query reaches. Counted exactly, not as half of a square.
//
// Query i stands at position i + keys - queries where masks end together (the last query sees the last key), or at i
// where they begin together. It reaches the keys from its position - left to its position + right that exist.
// Cost: O(1).

#include <cstdint>
#include <optional>

namespace kinetoscope::perf_model {

enum class MaskCorner : std::uint8_t {
  bottom_right,  ///< the last query stands at the last key
  top_left,      ///< the first query stands at the first key
};

struct AttentionMask {
  std::optional<std::int64_t> left{};   ///< keys before a query's position that it reaches; absent: all
  std::optional<std::int64_t> right{};  ///< keys behind it; absent: all, 0: a causal mask
  MaskCorner corner = MaskCorner::bottom_right;
};

struct AttentionPairs {
  double pairs = 0;
  double keys_reached = 0;  ///< by at least one query
  friend bool operator==(const AttentionPairs&, const AttentionPairs&) = default;
};

/// Sizes and window are not negative.
[[nodiscard]] AttentionPairs attention_pairs(double queries, double keys, const AttentionMask& mask) noexcept;
}  // namespace kinetoscope::perf_model
