#include "core/report/figures/roofline_groups.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "core/base/format.hpp"
#include "core/report/figures/figure_text.hpp"

namespace kinetoscope::report {
namespace {

// Okabe and Ito's colours without black, which is text, and an indigo: simulated with the three kinds of colour
// blindness (Machado 2009), any two are at least 15 apart in CIELAB, and 12 from the grey.
constexpr std::array<std::string_view, most_roofline_categories> category_colours = {
    "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#332288"};
constexpr std::string_view other_categories_colour = "#b5bbc2";
constexpr double least_radius = 2.5;
constexpr double radius_of_all = 40;

bool is_on_log_axis(double value) noexcept { return value > 0 && std::isfinite(value); }

bool comes_before(const RooflinePoint* one, const RooflinePoint* other) {
  const auto key = [](const RooflinePoint& point) {
    return std::tie(point.name, point.category, point.flops_per_byte, point.tflops_per_s, point.roofline_share);
  };
  if (one->time_share != other->time_share) return one->time_share > other->time_share;
  return key(*one) < key(*other);
}

/// Groups that a sentence is about.
struct LeftOut {
  std::size_t groups = 0;
  double time_share = 0;
  void add(const RooflinePoint& point) {
    ++groups;
    time_share += point.time_share;
  }
};

std::string counted_noun(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", with_separators(static_cast<std::int64_t>(count)), noun, count == 1 ? "" : "s");
}

std::string left_out_sentence(const LeftOut& left_out, std::string_view which, std::string_view fate) {
  return fmt::format("{}{}, {} of the time, {} not {}.", counted_noun(left_out.groups, "group"), which,
                     figure_share(left_out.time_share), left_out.groups == 1 ? "is" : "are", fate);
}

/// Categories of drawn points by time, falling, then by name.
std::vector<LegendEntry> categories_by_time(std::span<const RooflinePoint* const> points) {
  std::map<std::string_view, double> shares;
  for (const RooflinePoint* point : points) shares[point->category] += point->time_share;
  std::vector<LegendEntry> out;
  out.reserve(shares.size());
  for (const auto& [category, share] : shares) out.push_back({std::string(category), other_categories_colour, share});
  std::stable_sort(out.begin(), out.end(),
                   [](const auto& one, const auto& other) { return one.time_share > other.time_share; });
  return out;
}

/// Colours for the first, one grey entry for all the others.
std::vector<LegendEntry> coloured_legend(std::vector<LegendEntry> categories) {
  const std::size_t coloured = std::min(categories.size(), category_colours.size());
  for (std::size_t i = 0; i < coloured; ++i) categories[i].colour = category_colours[i];
  if (categories.size() == coloured) return categories;
  const std::size_t grey = categories.size() - coloured;
  LegendEntry others = categories.back();
  if (grey > 1) others = {fmt::format("{} other categories", grey), other_categories_colour, 0};
  for (std::size_t i = coloured; grey > 1 && i < categories.size(); ++i) others.time_share += categories[i].time_share;
  categories.resize(coloured);
  categories.push_back(std::move(others));
  return categories;
}

std::vector<RooflineCeiling> ceilings_to_draw(const RooflineChart& chart) {
  std::vector<RooflineCeiling> out;
  for (const RooflineCeiling& ceiling : chart.ceilings) {
    if (is_on_log_axis(ceiling.tflops_per_s)) out.push_back(ceiling);
  }
  std::sort(out.begin(), out.end(), [](const auto& one, const auto& other) {
    if (one.tflops_per_s != other.tflops_per_s) return one.tflops_per_s > other.tflops_per_s;
    return std::tie(one.spec, one.kind) < std::tie(other.spec, other.kind);
  });
  return out;
}

/// Told about groups of the chart, in their order of drawing.
class RooflineSentences {
 public:
  void add_hidden(const RooflinePoint& point) {
    (point.flops_per_byte == 0 ? without_arithmetic_ : without_place_).add(point);
  }
  void add_too_many(const RooflinePoint& point) { too_many_.add(point); }
  void add_drawn(const RooflinePoint& point) {
    if (point.roofline_share && *point.roofline_share > 1) above_.add(point);
  }
  [[nodiscard]] std::vector<std::string> sentences(double unmodelled_share, std::size_t ceilings_left_out) const {
    std::vector<std::string> out;
    if (above_.groups > 0) {
      out.push_back(
          fmt::format("{} with a dark rim, {} of the time, ran faster than the roofline: hidden by other work, "
                      "served from a cache, or a model that claims too much.",
                      counted_noun(above_.groups, "group"), figure_share(above_.time_share)));
    }
    if (without_arithmetic_.groups > 0) {
      out.push_back(left_out_sentence(without_arithmetic_, " without arithmetic", "shown"));
    }
    if (without_place_.groups > 0) {
      out.push_back(left_out_sentence(without_place_, " without bytes or without a rate", "shown"));
    }
    if (too_many_.groups > 0) out.push_back(left_out_sentence(too_many_, " with the least time", "drawn"));
    if (unmodelled_share > 0) {
      out.push_back(
          fmt::format("Work that no model explains, {} of the time, is not shown.", figure_share(unmodelled_share)));
    }
    if (ceilings_left_out > 0) {
      out.push_back(fmt::format("{} {} not drawn.", counted_noun(ceilings_left_out, "lower ceiling"),
                                ceilings_left_out == 1 ? "is" : "are"));
    }
    return out;
  }

 private:
  LeftOut above_;
  LeftOut without_arithmetic_;
  LeftOut without_place_;
  LeftOut too_many_;
};
}  // namespace

double roofline_radius(double time_share) noexcept {
  return std::max(least_radius, radius_of_all * std::sqrt(std::clamp(time_share, 0.0, 1.0)));
}

RooflineGroups roofline_groups(const RooflineChart& chart) {
  std::vector<const RooflinePoint*> points;
  for (const RooflinePoint& point : chart.points) points.push_back(&point);
  std::sort(points.begin(), points.end(), comes_before);

  RooflineSentences said;
  std::vector<const RooflinePoint*> drawn;
  for (const RooflinePoint* point : points) {
    if (!is_on_log_axis(point->flops_per_byte) || !is_on_log_axis(point->tflops_per_s)) {
      said.add_hidden(*point);
    } else if (drawn.size() == most_roofline_points) {
      said.add_too_many(*point);
    } else {
      said.add_drawn(*point);
      drawn.push_back(point);
    }
  }

  RooflineGroups out;
  std::vector<LegendEntry> categories = categories_by_time(drawn);
  std::map<std::string_view, std::string_view> colours;
  for (std::size_t i = 0; i < std::min(categories.size(), category_colours.size()); ++i) {
    colours.emplace(categories[i].category, category_colours[i]);
  }
  for (const RooflinePoint* point : drawn) {
    const auto colour = colours.find(point->category);
    out.points.push_back({point, colour == colours.end() ? other_categories_colour : colour->second,
                          roofline_radius(point->time_share)});
  }
  out.legend = coloured_legend(std::move(categories));
  out.ceilings = ceilings_to_draw(chart);
  const std::size_t shown_ceilings = std::min(out.ceilings.size(), most_roofline_ceilings);
  out.notes = said.sentences(chart.unmodelled_share, out.ceilings.size() - shown_ceilings);
  out.ceilings.resize(shown_ceilings);
  out.notes.insert(out.notes.end(), chart.notes.begin(), chart.notes.end());
  return out;
}
}  // namespace kinetoscope::report
