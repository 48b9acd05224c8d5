#pragma once

// Where labels of points stand: beside their point, inside the area, on no other label, no obstacle and no labelled
// point's middle, and on as few points as can be. A label without such a place, or that would cover much of points, is
// left out.
//
// Greedy: the labels given first choose first. Each tries places all around its point, the near ones first, and takes
// the one that covers the least. Cost: O(labels * places * (labels + obstacles + points)), with about fifty places.

#include <optional>
#include <span>
#include <vector>

#include "core/report/figures/geometry.hpp"

namespace kinetoscope::report {

struct PlacedCircle {
  Place middle;
  double radius = 0;
};

struct WantedLabel {
  PlacedCircle of;
  double width = 0;
  double height = 0;
};

/// One for each label, in their order.
[[nodiscard]] std::vector<std::optional<Box>> label_places(std::span<const WantedLabel> labels, const Box& area,
                                                           std::span<const Box> obstacles,
                                                           std::span<const PlacedCircle> points);
}  // namespace kinetoscope::report
