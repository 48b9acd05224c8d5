#pragma once

// Places and rectangles of a figure, in units of its view box: x to the right, y downwards.

namespace kinetoscope::report {

struct Place {
  double x = 0;
  double y = 0;
  friend bool operator==(const Place&, const Place&) = default;
};

struct Box {
  double left = 0;
  double top = 0;
  double right = 0;
  double bottom = 0;
  [[nodiscard]] constexpr double width() const noexcept { return right - left; }
  [[nodiscard]] constexpr double height() const noexcept { return bottom - top; }
  [[nodiscard]] constexpr bool contains(const Box& inner) const noexcept {
    return inner.left >= left && inner.right <= right && inner.top >= top && inner.bottom <= bottom;
  }
  friend bool operator==(const Box&, const Box&) = default;
};

/// Boxes that only touch do not overlap.
[[nodiscard]] constexpr bool overlap(const Box& one, const Box& other) noexcept {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}
}  // namespace kinetoscope::report
