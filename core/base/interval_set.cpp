#include "core/base/interval_set.hpp"

#include <algorithm>
#include <utility>

namespace kinetoscope {
namespace {
bool begins_before(const Interval& left, const Interval& right) { return left.begin_ns < right.begin_ns; }
}  // namespace

IntervalSet::IntervalSet(std::vector<Interval> in_any_order) : intervals_(std::move(in_any_order)) {
  std::erase_if(intervals_, [](const Interval& interval) { return interval.begin_ns >= interval.end_ns; });
  if (!std::ranges::is_sorted(intervals_, begins_before)) std::ranges::sort(intervals_, begins_before);
  std::size_t kept = 0;
  for (const Interval& next : intervals_) {
    if (kept > 0 && next.begin_ns <= intervals_[kept - 1].end_ns) {
      intervals_[kept - 1].end_ns = std::max(intervals_[kept - 1].end_ns, next.end_ns);
    } else {
      intervals_[kept++] = next;
    }
  }
  intervals_.resize(kept);
}

std::int64_t IntervalSet::total_ns() const noexcept {
  std::int64_t total = 0;
  for (const Interval& interval : intervals_) total += interval.end_ns - interval.begin_ns;
  return total;
}

std::optional<Interval> IntervalSet::span() const noexcept {
  if (intervals_.empty()) return {};
  return Interval{intervals_.front().begin_ns, intervals_.back().end_ns};
}

IntervalSet without(const IntervalSet& work, const IntervalSet& cover) {
  std::vector<Interval> left;
  const auto covers = cover.intervals();
  std::size_t next_cover = 0;
  for (const Interval& interval : work.intervals()) {
    std::int64_t begin_ns = interval.begin_ns;
    while (next_cover < covers.size() && covers[next_cover].end_ns <= begin_ns) ++next_cover;
    for (std::size_t i = next_cover; i < covers.size() && covers[i].begin_ns < interval.end_ns; ++i) {
      if (begin_ns < covers[i].begin_ns) left.push_back({begin_ns, covers[i].begin_ns});
      begin_ns = covers[i].end_ns;
      // The last cover may reach into the next interval of `work`; those before it cannot.
      if (covers[i].end_ns <= interval.end_ns) next_cover = i + 1;
    }
    if (begin_ns < interval.end_ns) left.push_back({begin_ns, interval.end_ns});
  }
  return IntervalSet(std::move(left));
}

IntervalSet united(const IntervalSet& one, const IntervalSet& other) {
  std::vector<Interval> all(one.intervals().size() + other.intervals().size());
  std::ranges::merge(one.intervals(), other.intervals(), all.begin(), begins_before);
  return IntervalSet(std::move(all));
}

IntervalSet overlap(const IntervalSet& one, const IntervalSet& other) {
  std::vector<Interval> common;
  auto left = one.intervals();
  auto right = other.intervals();
  while (!left.empty() && !right.empty()) {
    const std::int64_t begin_ns = std::max(left.front().begin_ns, right.front().begin_ns);
    const std::int64_t end_ns = std::min(left.front().end_ns, right.front().end_ns);
    if (begin_ns < end_ns) common.push_back({begin_ns, end_ns});
    (left.front().end_ns < right.front().end_ns ? left : right) =
        (left.front().end_ns < right.front().end_ns ? left : right).subspan(1);
  }
  return IntervalSet(std::move(common));
}
}  // namespace kinetoscope
