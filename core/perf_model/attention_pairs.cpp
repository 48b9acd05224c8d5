#include "core/perf_model/attention_pairs.hpp"

#include <algorithm>

namespace kinetoscope::perf_model {
namespace {

/// Sum of i + start, held between 0 and keys, over all queries i.
double sum_of_held(double queries, double keys, double start) noexcept {
  const double first_above_zero = std::clamp(-start, 0.0, queries);
  const double first_at_keys = std::clamp(keys - start, first_above_zero, queries);
  const double between = first_at_keys - first_above_zero;
  return between * (2 * start + first_above_zero + first_at_keys - 1) / 2 + (queries - first_at_keys) * keys;
}
}  // namespace

AttentionPairs attention_pairs(double queries, double keys, const AttentionMask& mask) noexcept {
  if (queries == 0 || keys == 0) return {};
  const double first_position = mask.corner == MaskCorner::bottom_right ? keys - queries : 0;
  // Keys up to the right edge, less those before the left edge: both edges move by one from query to query.
  AttentionPairs out = {queries * keys, keys};
  if (mask.right) {
    const double edge = first_position + static_cast<double>(*mask.right) + 1;
    out.pairs = sum_of_held(queries, keys, edge);
    out.keys_reached = std::clamp(edge + queries - 1, 0.0, keys);
  }
  if (mask.left) {
    const double edge = first_position - static_cast<double>(*mask.left);
    out.pairs -= sum_of_held(queries, keys, edge);
    out.keys_reached -= std::clamp(edge, 0.0, out.keys_reached);
  }
  return out;
}
}  // namespace kinetoscope::perf_model
