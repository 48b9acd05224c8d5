#include "core/report/figures/label_places.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace kinetoscope::report {
namespace {

constexpr double gap_to_point = 4;
constexpr std::array further_away = {0.0, 12.0, 26.0, 44.0, 66.0, 92.0};
// To the right first: there a label reads as its point's name.
constexpr std::array<Place, 8> label_directions = {
    {{1, 0}, {-1, 0}, {0, -1}, {0, 1}, {0.7, -0.7}, {0.7, 0.7}, {-0.7, -0.7}, {-0.7, 0.7}}};
// A place costs what it covers of points, and its distance: far labels need a line to their point.
constexpr double cost_of_distance = 3;
// Of the label's area: one that covers more than that of points would seem to be theirs.
constexpr double most_covered_share = 0.4;

/// The label's box with its near side, or its middle, towards the point.
Box label_box(const WantedLabel& label, Place direction, double distance) noexcept {
  const double reach = label.of.radius + gap_to_point + distance;
  const double side = direction.x > 0 ? 0 : direction.x < 0 ? -1 : -0.5;
  const double level = direction.y > 0 ? 0 : direction.y < 0 ? -1 : -0.5;
  const double left = label.of.middle.x + direction.x * reach + side * label.width;
  const double top = label.of.middle.y + direction.y * reach + level * label.height;
  return {left, top, left + label.width, top + label.height};
}

/// About how much of a point lies under the box.
double covered_area(const Box& box, const PlacedCircle& point) noexcept {
  const Box around = {point.middle.x - point.radius, point.middle.y - point.radius, point.middle.x + point.radius,
                      point.middle.y + point.radius};
  if (!overlap(box, around)) return 0;
  const double width = std::min(box.right, around.right) - std::max(box.left, around.left);
  const double height = std::min(box.bottom, around.bottom) - std::max(box.top, around.top);
  return width * height;
}

std::optional<Box> best_label_place(const WantedLabel& label, const Box& area, std::span<const Box> taken,
                                    std::span<const PlacedCircle> points) {
  std::optional<Box> best;
  double least_cost = 0;
  const double most_covered = most_covered_share * label.width * label.height;
  for (const double distance : further_away) {
    for (const Place& direction : label_directions) {
      const Box box = label_box(label, direction, distance);
      if (!area.contains(box)) continue;
      if (std::any_of(taken.begin(), taken.end(), [&](const Box& other) { return overlap(box, other); })) continue;
      double covered = 0;
      for (const PlacedCircle& point : points) covered += covered_area(box, point);
      const double cost = covered + cost_of_distance * distance;
      if (covered > most_covered || (best && cost >= least_cost)) continue;
      best = box;
      least_cost = cost;
    }
  }
  return best;
}
}  // namespace

std::vector<std::optional<Box>> label_places(std::span<const WantedLabel> labels, const Box& area,
                                             std::span<const Box> obstacles, std::span<const PlacedCircle> points) {
  std::vector<std::optional<Box>> out;
  std::vector<Box> taken(obstacles.begin(), obstacles.end());
  for (const WantedLabel& label : labels) {
    const double half = label.of.radius / 2;
    const Place middle = label.of.middle;
    taken.push_back({middle.x - half, middle.y - half, middle.x + half, middle.y + half});
  }
  for (const WantedLabel& label : labels) {
    out.push_back(best_label_place(label, area, taken, points));
    if (out.back()) taken.push_back(*out.back());
  }
  return out;
}
}  // namespace kinetoscope::report
