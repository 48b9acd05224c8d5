#include "core/report/figures/roofline_figure.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "core/base/format.hpp"
#include "core/report/figures/figure_text.hpp"
#include "core/report/figures/label_places.hpp"
#include "core/report/figures/log_axis.hpp"
#include "core/report/figures/roofline_groups.hpp"
#include "core/report/figures/svg.hpp"

namespace kinetoscope::report {
namespace {

constexpr double roofline_left = 84;
constexpr double roofline_right = 756;  // right of it: what the ceilings are
constexpr double roofline_height = 420;
constexpr double tick_size = 12;
constexpr double point_label_size = 12;
constexpr double ceiling_label_height = 30;
constexpr std::size_t most_ceiling_characters = 60;
constexpr Stroke roof_stroke = {.colour = ink::text, .width = 1.6};
/// log10 of (GB/s * FLOPs/byte) over TFLOP/s: the slope at 1 FLOP/byte.
constexpr double giga_to_tera = -3;

struct RooflinePlot {
  Box area;
  LogAxis x;
  LogAxis y;
  std::optional<double> slope;  ///< log10 of TFLOP/s at 1 FLOP/byte
  [[nodiscard]] Place at(const RooflinePoint& point) const {
    return {x.at(point.flops_per_byte), y.at(point.tflops_per_s)};
  }
};

/// Axes that have all points, ceilings, and the ridges, where the slope meets its ceilings.
RooflinePlot roofline_plot(const RooflineChart& chart, const RooflineGroups& groups, double top) {
  const bool has_slope = chart.bandwidth_gb_per_s > 0 && std::isfinite(chart.bandwidth_gb_per_s);
  std::vector<double> intensities;
  std::vector<double> rates;
  const auto add_to = [](std::vector<double>& values, double value) {
    if (value > 0 && std::isfinite(value)) values.push_back(value);
  };
  for (const DrawnPoint& drawn : groups.points) {
    intensities.push_back(drawn.point->flops_per_byte);
    rates.push_back(drawn.point->tflops_per_s);
    if (has_slope && groups.ceilings.empty()) {
      add_to(rates, chart.bandwidth_gb_per_s / 1e3 * drawn.point->flops_per_byte);
    }
  }
  for (const RooflineCeiling& ceiling : groups.ceilings) {
    rates.push_back(ceiling.tflops_per_s);
    if (has_slope) add_to(intensities, ceiling.tflops_per_s / chart.bandwidth_gb_per_s * 1e3);
  }
  const Box area = {roofline_left, top, roofline_right, top + roofline_height};
  const LogAxis x(intensities, area.left, area.right);
  const LogAxis y(rates, area.bottom, area.top);
  std::optional<double> slope;
  if (has_slope) slope = std::log10(chart.bandwidth_gb_per_s) + giga_to_tera;
  return {area, x, y, slope};
}

void draw_roofline_axes(Svg& svg, const RooflinePlot& plot) {
  const Box& area = plot.area;
  for (const double exponent : plot.x.between_decades()) {
    const double x = plot.x.at_log10(exponent);
    svg.line({x, area.top}, {x, area.bottom}, {.colour = ink::faint_grid});
  }
  for (const double exponent : plot.y.between_decades()) {
    const double y = plot.y.at_log10(exponent);
    svg.line({area.left, y}, {area.right, y}, {.colour = ink::faint_grid});
  }
  for (const int exponent : plot.x.decades()) {
    const double x = plot.x.at_log10(exponent);
    svg.line({x, area.top}, {x, area.bottom}, {.colour = ink::grid});
    svg.text({x, area.bottom + 18}, decade_label(exponent),
             {.size = tick_size, .anchor = TextAnchor::middle, .fill = ink::faint_text});
  }
  for (const int exponent : plot.y.decades()) {
    const double y = plot.y.at_log10(exponent);
    svg.line({area.left, y}, {area.right, y}, {.colour = ink::grid});
    svg.text({area.left - 8, y + 4}, decade_label(exponent),
             {.size = tick_size, .anchor = TextAnchor::end, .fill = ink::faint_text});
  }
  svg.path(std::array{Place{area.left, area.top}, Place{area.left, area.bottom}, Place{area.right, area.bottom}}, {});
  svg.text({(area.left + area.right) / 2, area.bottom + 40}, "arithmetic intensity, FLOPs/byte",
           {.size = 13, .anchor = TextAnchor::middle});
  svg.text({28, (area.top + area.bottom) / 2}, "achieved, TFLOP/s",
           {.size = 13, .anchor = TextAnchor::middle, .angle = -90});
}

struct RoofSegment {
  Place from;
  Place to;
};

/// From where the slope enters the plot to the highest ceiling, or to where it leaves.
std::optional<RoofSegment> bandwidth_segment(const RooflinePlot& plot, const RooflineGroups& groups) {
  if (!plot.slope) return {};
  double highest = plot.y.high();
  if (!groups.ceilings.empty()) highest = std::log10(groups.ceilings.front().tflops_per_s);
  const double begin = std::max(plot.x.low(), plot.y.low() - *plot.slope);
  const double end = std::min(plot.x.high(), highest - *plot.slope);
  if (!(begin < end)) return {};
  return RoofSegment{{plot.x.at_log10(begin), plot.y.at_log10(begin + *plot.slope)},
                     {plot.x.at_log10(end), plot.y.at_log10(end + *plot.slope)}};
}

/// From its ridge to the right; from the left where there is no slope.
RoofSegment ceiling_segment(const RooflinePlot& plot, double tflops_per_s) {
  const double y = plot.y.at(tflops_per_s);
  double begin = plot.area.left;
  if (plot.slope) {
    const double ridge = plot.x.at_log10(std::log10(tflops_per_s) - *plot.slope);
    begin = std::clamp(ridge, plot.area.left, plot.area.right);
  }
  return {{begin, y}, {plot.area.right, y}};
}

/// Along the slope, above it. Returns what it takes; empty where the slope is too short for it.
std::vector<Box> draw_bandwidth_label(Svg& svg, const RooflinePlot& plot, const RoofSegment& slope, double gb_per_s) {
  const double angle = std::atan2(slope.to.y - slope.from.y, slope.to.x - slope.from.x);
  const Place step = {std::cos(angle), std::sin(angle)};
  const std::string label = figure_number(gb_per_s, 6) + " GB/s";
  const double width = text_width(label, point_label_size);
  // Before the middle of the slope: near the ridge there are points.
  const double along =
      std::max(6.0, std::hypot(slope.to.x - slope.from.x, slope.to.y - slope.from.y) * 0.4 - width / 2);
  const Place at = {slope.from.x + along * step.x + 6 * step.y, slope.from.y + along * step.y - 6 * step.x};
  if (at.x + width * step.x > plot.area.right || at.y + width * step.y < plot.area.top - 8) return {};
  svg.text(at, label, {.size = point_label_size, .has_halo = true, .angle = angle * 180 / std::numbers::pi});
  std::vector<Box> taken;
  for (double done = 0; done <= width; done += 10) {
    const Place piece = {at.x + done * step.x, at.y + done * step.y};
    taken.push_back({piece.x - 9, piece.y - 12, piece.x + 9, piece.y + 4});
  }
  return taken;
}

/// Small disks along a line: labels avoid covering it where they can.
void add_line_of_disks(std::vector<PlacedCircle>& disks, const RoofSegment& line) {
  constexpr double every = 10;
  const Place way = {line.to.x - line.from.x, line.to.y - line.from.y};
  const double length = std::hypot(way.x, way.y);
  for (double done = 0; done < length; done += every) {
    disks.push_back({{line.from.x + way.x * done / length, line.from.y + way.y * done / length}, 3});
  }
}

/// Middles of labels beside `wanted`, which fall from the top, far enough from one another and inside the area.
std::vector<double> spread_labels(std::vector<double> wanted, const Box& area) {
  double free_from = area.top;
  for (double& y : wanted) {
    y = std::max(y, free_from);
    free_from = y + ceiling_label_height;
  }
  double free_to = area.bottom;
  for (std::size_t i = wanted.size(); i > 0; --i) {
    wanted[i - 1] = std::min(wanted[i - 1], free_to);
    free_to = wanted[i - 1] - ceiling_label_height;
  }
  return wanted;
}

void draw_ceilings(Svg& svg, const RooflinePlot& plot, const RooflineGroups& groups) {
  std::vector<double> lines;
  for (const RooflineCeiling& ceiling : groups.ceilings) lines.push_back(plot.y.at(ceiling.tflops_per_s));
  const std::vector<double> labels = spread_labels(lines, plot.area);
  const double text_left = roofline_right + 20;
  const double room = figure_width - 8 - text_left;
  for (std::size_t i = 0; i < groups.ceilings.size(); ++i) {
    const RooflineCeiling& ceiling = groups.ceilings[i];
    const std::string spec = shown_text(ceiling.spec, most_ceiling_characters);
    const std::string figure =
        fmt::format("{} TFLOP/s{}{}", figure_number(ceiling.tflops_per_s, 6), ceiling.kind.empty() ? "" : ", ",
                    shown_text(ceiling.kind, most_ceiling_characters));
    svg.begin_group(fmt::format("{} {}", spec, figure));
    const RoofSegment line = ceiling_segment(plot, ceiling.tflops_per_s);
    svg.line(line.from, line.to, roof_stroke);
    svg.path(std::array{line.to, Place{text_left - 6, labels[i]}}, {});
    svg.text({text_left, labels[i] - 2}, cut_to_width(spec, 12 * bold_widening, room), {.is_bold = true});
    svg.text({text_left, labels[i] + 12}, cut_to_width(figure, 11, room), {.size = 11, .fill = ink::faint_text});
    svg.end_group();
  }
}

std::string point_figures(const RooflinePoint& point) {
  return fmt::format(
      "{} FLOPs/byte, {} TFLOP/s, {} of the time, {}", figure_number(point.flops_per_byte),
      figure_number(point.tflops_per_s), figure_share(point.time_share),
      point.roofline_share ? figure_share(*point.roofline_share) + " of its roofline" : "its roofline is not known");
}

void draw_points(Svg& svg, const RooflinePlot& plot, const RooflineGroups& groups) {
  constexpr Stroke rim = {.colour = ink::axis, .width = 0.6};
  constexpr Stroke rim_above = {.colour = ink::text, .width = 2};
  for (const DrawnPoint& drawn : groups.points) {
    const RooflinePoint& point = *drawn.point;
    svg.begin_group(fmt::format("{}\n{}\n{}", printable(point.name, most_tooltip_characters),
                                printable(point.category, most_tooltip_characters), point_figures(point)));
    svg.circle(plot.at(point), drawn.radius, drawn.colour,
               point.roofline_share && *point.roofline_share > 1 ? rim_above : rim);
    svg.end_group();
  }
}

/// From the circle to the nearest place of the box, where that is not beside it.
void draw_leader(Svg& svg, const PlacedCircle& circle, const Box& box) {
  const Place near = {std::clamp(circle.middle.x, box.left, box.right),
                      std::clamp(circle.middle.y, box.top, box.bottom)};
  const Place away = {near.x - circle.middle.x, near.y - circle.middle.y};
  const double distance = std::hypot(away.x, away.y);
  constexpr double far_from_rim = 10;
  if (distance < circle.radius + far_from_rim) return;
  svg.line({circle.middle.x + away.x * circle.radius / distance, circle.middle.y + away.y * circle.radius / distance},
           near, {.colour = ink::axis, .width = 0.8});
}

void draw_point_labels(Svg& svg, const RooflinePlot& plot, const RooflineGroups& groups,
                       const std::optional<RoofSegment>& slope, std::span<const Box> taken) {
  std::vector<PlacedCircle> circles;
  for (const DrawnPoint& drawn : groups.points) circles.push_back({plot.at(*drawn.point), drawn.radius});
  std::vector<PlacedCircle> avoided = circles;
  if (slope) add_line_of_disks(avoided, *slope);
  for (const RooflineCeiling& ceiling : groups.ceilings) {
    add_line_of_disks(avoided, ceiling_segment(plot, ceiling.tflops_per_s));
  }
  std::vector<std::string> texts;
  std::vector<WantedLabel> wanted;
  for (std::size_t i = 0; i < std::min(circles.size(), most_roofline_labels); ++i) {
    const RooflinePoint& point = *groups.points[i].point;
    texts.push_back(shown_text(point.name, most_point_label_characters) + ", " + figure_share(point.time_share));
    wanted.push_back({circles[i], text_width(texts.back(), point_label_size), point_label_size + 3});
  }
  const std::vector<std::optional<Box>> places = label_places(wanted, plot.area, taken, avoided);
  // Lines first: texts stand on them.
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i]) draw_leader(svg, circles[i], *places[i]);
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!places[i]) continue;
    // Where the font is narrower than thought, the text stays at the side of its point.
    const bool is_left_of_point = places[i]->right <= circles[i].middle.x;
    svg.text(
        {is_left_of_point ? places[i]->right : places[i]->left, places[i]->bottom - 4}, texts[i],
        {.size = point_label_size, .anchor = is_left_of_point ? TextAnchor::end : TextAnchor::start, .has_halo = true});
  }
}

/// Categories in columns, then what the size of a disk means; returns where the legend ends.
double draw_legend(Svg& svg, const RooflineGroups& groups, double top) {
  constexpr std::size_t columns = 3;
  constexpr double column_width = (figure_width - 2 * figure_margin) / columns;
  constexpr double row_height = 22;
  constexpr Stroke rim = {.colour = ink::axis, .width = 0.6};
  double y = top;
  for (std::size_t i = 0; i < groups.legend.size(); ++i) {
    const LegendEntry& entry = groups.legend[i];
    const double x = figure_margin + column_width * static_cast<double>(i % columns);
    if (i > 0 && i % columns == 0) y += row_height;
    const std::string share = ", " + figure_share(entry.time_share);
    const double room = column_width - 30 - text_width(share, 12);
    const std::string category = entry.category.empty() ? "no category" : shown_text(entry.category, 80);
    svg.circle({x + 6, y}, 6, entry.colour, rim);
    svg.text({x + 20, y + 4}, cut_to_width(category, 12, room) + share, {});
  }
  y += row_height + 6;
  svg.text({figure_margin, y + 4}, "area is the share of the time:", {.fill = ink::faint_text});
  double x = figure_margin + text_width("area is the share of the time:", 12) + 6;
  for (const double share : {0.01, 0.05, 0.1}) {
    const double radius = roofline_radius(share);
    svg.circle({x + radius, y}, radius, ink::grid, {.width = 0.8});
    svg.text({x + 2 * radius + 6, y + 4}, fmt::format("{:.0f} %", share * 100), {.fill = ink::faint_text});
    x += 2 * radius + 56;
  }
  return y + row_height;
}

std::string roofline_description(const RooflineChart& chart, const RooflineGroups& groups) {
  constexpr std::size_t most_told = 5;
  std::string out = fmt::format("{}\n{} groups by arithmetic intensity and achieved rate, both logarithmic.",
                                printable(chart.caption, most_tooltip_characters), groups.points.size());
  for (std::size_t i = 0; i < std::min(most_told, groups.points.size()); ++i) {
    const RooflinePoint& point = *groups.points[i].point;
    out += fmt::format("\n{}: {}.", shown_text(point.name, most_point_label_characters), point_figures(point));
  }
  return out;
}
}  // namespace

std::string roofline_figure(const RooflineChart& chart) {
  const RooflineGroups groups = roofline_groups(chart);
  if (groups.points.empty()) {
    return empty_figure(chart.title, chart.caption,
                        "No work with known arithmetic, bytes and time: there is nothing to draw.", groups.notes);
  }
  Svg svg;
  const RooflinePlot plot = roofline_plot(chart, groups, draw_heading(svg, chart.title, chart.caption) + 8);
  draw_roofline_axes(svg, plot);
  const std::optional<RoofSegment> slope = bandwidth_segment(plot, groups);
  if (slope) svg.line(slope->from, slope->to, roof_stroke);
  draw_ceilings(svg, plot, groups);
  draw_points(svg, plot, groups);
  std::vector<Box> taken;
  if (slope) taken = draw_bandwidth_label(svg, plot, *slope, chart.bandwidth_gb_per_s);
  draw_point_labels(svg, plot, groups, slope, taken);
  const double legend_end = draw_legend(svg, groups, plot.area.bottom + 68);
  const double end = draw_notes(svg, groups.notes, legend_end);
  return svg.finish(end + figure_margin - 8, chart.title, roofline_description(chart, groups));
}
}  // namespace kinetoscope::report
