#pragma once

// What of a roofline chart is drawn, in which order and colour, and what is said about the rest.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/report/figures/roofline_figure.hpp"

namespace kinetoscope::report {

struct DrawnPoint {
  const RooflinePoint* point = nullptr;  ///< of the chart
  std::string_view colour;
  double radius = 0;
};

struct LegendEntry {
  std::string category;
  std::string_view colour;
  double time_share = 0;
};

struct RooflineGroups {
  std::vector<DrawnPoint> points;         ///< by time, falling
  std::vector<RooflineCeiling> ceilings;  ///< the highest first
  std::vector<LegendEntry> legend;        ///< by time, falling; the grey one last
  std::vector<std::string> notes;         ///< what is not drawn, a sentence each, then the chart's own
};

/// `chart` must outlive the result. O(n log n).
[[nodiscard]] RooflineGroups roofline_groups(const RooflineChart& chart);
/// Of a point with that share of the time.
[[nodiscard]] double roofline_radius(double time_share) noexcept;
}  // namespace kinetoscope::report
