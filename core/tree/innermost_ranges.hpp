#pragma once

// Which of some ranges of time is the innermost at a moment: of those that hold it, the one that started last. Ranges
// may nest and overlap in any way. Cost: O(n log n) to build, O(log n) a question.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "core/base/ids.hpp"

namespace kinetoscope {

class InnermostRanges {
 public:
  /// From begin_ns up to, but not including, end_ns.
  struct Range {
    std::int64_t begin_ns = 0;
    std::int64_t end_ns = 0;
    StepId step = no_step;
  };

  InnermostRanges() = default;
  explicit InnermostRanges(std::vector<Range> in_any_order) {
    std::vector<Range>& ranges = in_any_order;
    // Of ranges that start together the shorter one is inside.
    std::ranges::sort(ranges, [](const Range& left, const Range& right) {
      return std::tuple(left.begin_ns, -left.end_ns, left.step) < std::tuple(right.begin_ns, -right.end_ns, right.step);
    });
    std::vector<Range> open;
    for (const Range& range : ranges) {
      if (range.begin_ns >= range.end_ns) continue;
      close_until(range.begin_ns, open);
      open.push_back(range);
      change(range.begin_ns, range.step);
    }
    close_until(INT64_MAX, open);
  }

  /// no_step where no range is.
  [[nodiscard]] StepId at(std::int64_t time_ns) const noexcept {
    const auto behind = std::ranges::upper_bound(changes_, time_ns, {}, &Change::time_ns);
    return behind == changes_.begin() ? no_step : std::prev(behind)->step;
  }
  [[nodiscard]] bool empty() const noexcept { return changes_.empty(); }

 private:
  struct Change {
    std::int64_t time_ns = 0;
    StepId step = no_step;  ///< the innermost from here on
  };

  void change(std::int64_t time_ns, StepId step) {
    if (!changes_.empty() && changes_.back().time_ns == time_ns) {
      changes_.back().step = step;
    } else {
      changes_.push_back({time_ns, step});
    }
  }
  /// Ends what ends at or before `time_ns`, innermost first. A range that ends below one that is still open has no say
  /// any more, and is dropped when that one ends.
  void close_until(std::int64_t time_ns, std::vector<Range>& open) {
    while (!open.empty() && open.back().end_ns <= time_ns) {
      const std::int64_t end_ns = open.back().end_ns;
      while (!open.empty() && open.back().end_ns <= end_ns) open.pop_back();
      change(end_ns, open.empty() ? no_step : open.back().step);
    }
  }

  std::vector<Change> changes_;  // by time
};
}  // namespace kinetoscope
