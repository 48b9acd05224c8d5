#include "core/analysis/counted_work.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "core/base/huge_array.hpp"
#include "core/base/interval_set.hpp"

namespace kinetoscope::analysis {
namespace {

/// An event of one bucket: when it ran, and where it stands among the events asked about.
struct Piece {
  Interval extent;
  std::size_t place = 0;
};
using Pieces = HugeArray<Piece>;

void sort_by_begin(Pieces& pieces) {
  const auto begins_before = [](const Piece& left, const Piece& right) {
    return left.extent.begin_ns < right.extent.begin_ns;
  };
  if (std::is_sorted(pieces.begin(), pieces.end(), begins_before)) return;
  std::stable_sort(pieces.begin(), pieces.end(), begins_before);
}

IntervalSet merged(const Pieces& pieces) {
  std::vector<Interval> intervals;
  intervals.reserve(pieces.size());
  for (const Piece& piece : pieces) intervals.push_back(piece.extent);
  return IntervalSet(std::move(intervals));
}

/// How much of `visible` each piece has for itself. Pieces rise, and what one leaves behind the last end rises too, so
/// one pass over both is enough.
void share_out(const Pieces& pieces, const IntervalSet& visible, std::vector<std::int64_t>& counted_ns) {
  std::span<const Interval> ahead = visible.intervals();
  std::int64_t taken_until_ns = INT64_MIN;
  for (const Piece& piece : pieces) {
    const std::int64_t begin_ns = std::max(piece.extent.begin_ns, taken_until_ns);
    while (!ahead.empty() && ahead.front().end_ns <= begin_ns) ahead = ahead.subspan(1);
    std::int64_t own_ns = 0;
    for (auto next = ahead.begin(); next != ahead.end() && next->begin_ns < piece.extent.end_ns; ++next) {
      const std::int64_t from_ns = std::max(begin_ns, next->begin_ns);
      own_ns += std::max<std::int64_t>(0, std::min(piece.extent.end_ns, next->end_ns) - from_ns);
      if (next->end_ns > piece.extent.end_ns) break;
    }
    counted_ns[piece.place] = own_ns;
    taken_until_ns = std::max(taken_until_ns, piece.extent.end_ns);
  }
}
}  // namespace

std::vector<std::int64_t> counted_times_ns(const Trace& trace, const GpuBuckets& buckets,
                                           std::span<const EventId> events) {
  std::array<Pieces, 3> by_bucket;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const std::optional<Interval> extent = trace.extent(events[i]);
    if (extent) by_bucket[static_cast<std::size_t>(buckets.of(events[i]))].push_back({*extent, i});
  }
  std::vector<std::int64_t> counted_ns(events.size(), 0);
  std::ranges::for_each(by_bucket, sort_by_begin);
  const auto& [computation, communication, copies] = by_bucket;
  const IntervalSet computing = merged(computation);
  const IntervalSet communicating = merged(communication);
  share_out(computation, computing, counted_ns);
  share_out(communication, without(communicating, computing), counted_ns);
  share_out(copies, without(without(merged(copies), computing), communicating), counted_ns);
  return counted_ns;
}
}  // namespace kinetoscope::analysis
