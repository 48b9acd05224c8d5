#pragma once

// The roofline as SVG, both axes logarithmic: each group of work a point at its arithmetic intensity and the rate that
// it achieved, under the bandwidth's slope and the ceilings of the precisions that it uses.
//
// A point's area is its share of the time (a disk of 20 units radius for 25 %), but its radius is at least 2.5 and at
// most 40. Axes extend to every point that is drawn, those above the roof included, which have a dark rim. What cannot
// stand on a logarithmic axis, and what is beyond the limits below, is counted in sentences under the figure.
// The greatest categories by time have a colour, the others are grey. Deterministic: points are sorted with a full
// tie-break. Cost: O(n log n), and a bounded number of labels.
// Source: Williams, Waterman, Patterson, "Roofline", CACM 52 (4), 2009.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace kinetoscope::report {

/// A group of work with a model. Not finite or not above 0 is "cannot be drawn", never an error.
struct RooflinePoint {
  std::string name;
  std::string category;
  double flops_per_byte = 0;             ///< 0: no arithmetic; infinite: no bytes
  double tflops_per_s = 0;               ///< achieved
  double time_share = 0;                 ///< of the time that the caption names
  std::optional<double> roofline_share;  ///< roofline time over time; above 1: faster than the roof
  friend bool operator==(const RooflinePoint&, const RooflinePoint&) = default;
};

struct RooflineCeiling {
  std::string spec;  ///< "matrix_bf16"
  double tflops_per_s = 0;
  std::string kind;  ///< "measured", "peak"
  friend bool operator==(const RooflineCeiling&, const RooflineCeiling&) = default;
};

struct RooflineChart {
  std::string title;
  std::string caption;  ///< the device, and what shares are of
  double bandwidth_gb_per_s = 0;
  std::vector<RooflineCeiling> ceilings;
  std::vector<RooflinePoint> points;
  double unmodelled_share = 0;  ///< of the same time: work that no model explains
  std::vector<std::string> notes{};
  friend bool operator==(const RooflineChart&, const RooflineChart&) = default;
};

inline constexpr std::size_t most_roofline_points = 300;  ///< the greatest by time
inline constexpr std::size_t most_roofline_labels = 8;
inline constexpr std::size_t most_roofline_ceilings = 8;    ///< the highest
inline constexpr std::size_t most_roofline_categories = 8;  ///< with a colour of their own
/// Of a point's label; the tooltip has the whole name.
inline constexpr std::size_t most_point_label_characters = 28;

[[nodiscard]] std::string roofline_figure(const RooflineChart& chart);
}  // namespace kinetoscope::report
