#pragma once

// Sets of time intervals: how long something lasted, overlaps counted once. Busy, exposed and idle times come from it.
// Integer nanoseconds, so busy + idle == span to the last digit; bounds lie within ±largest_time_ns, so none overflows.
// Cost: construction sorts, O(n log n), O(n) where already in order; all else is one pass. 16 bytes an interval.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace kinetoscope {

/// From begin_ns up to, but not including, end_ns. Empty unless begin_ns < end_ns.
struct Interval {
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
  friend bool operator==(const Interval&, const Interval&) = default;
};

/// Disjoint, rising, none empty. Intervals that touch are one: there is no idle time between them.
class IntervalSet {
 public:
  IntervalSet() = default;
  explicit IntervalSet(std::vector<Interval> in_any_order);
  [[nodiscard]] std::int64_t total_ns() const noexcept;
  /// From the first begin to the last end; absent for the empty set.
  [[nodiscard]] std::optional<Interval> span() const noexcept;
  /// Valid as long as this set.
  [[nodiscard]] std::span<const Interval> intervals() const noexcept { return intervals_; }
  friend bool operator==(const IntervalSet&, const IntervalSet&) = default;

 private:
  std::vector<Interval> intervals_;
};

/// What of `work` nothing in `cover` hides: exposed communication = without(communication, computation). O(n + m).
[[nodiscard]] IntervalSet without(const IntervalSet& work, const IntervalSet& cover);
/// What is in one of them or in both. O(n + m).
[[nodiscard]] IntervalSet united(const IntervalSet& one, const IntervalSet& other);
/// What is in both. O(n + m).
[[nodiscard]] IntervalSet overlap(const IntervalSet& one, const IntervalSet& other);
}  // namespace kinetoscope
