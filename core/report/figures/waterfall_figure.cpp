#include "core/report/figures/waterfall_figure.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "core/base/format.hpp"
#include "core/report/figures/figure_text.hpp"
#include "core/report/figures/svg.hpp"

namespace kinetoscope::report {
namespace {

constexpr double bars_left = 290;
constexpr double bars_right = 740;
constexpr double percents_right = 826;
constexpr double times_right = figure_width - figure_margin;
constexpr double waterfall_row_height = 38;
constexpr double waterfall_bar_height = 24;
constexpr double waterfall_label_size = 13;
constexpr double least_bar_width = 1.5;  // a loss of nothing is still seen to be there
constexpr std::size_t most_label_characters = 200;

/// Told apart by lightness, too (Okabe and Ito's blue, vermilion and green).
std::string_view waterfall_colour(BarKind kind) noexcept {
  switch (kind) {
    case BarKind::total: return "#8c959f";
    case BarKind::loss: return "#d55e00";
    case BarKind::gain: return "#009e73";
    case BarKind::result: return "#0072b2";
  }
  return ink::axis;
}

struct FloatingBar {
  const WaterfallBar* bar = nullptr;
  double begin = 0;  ///< shares of the total
  double end = 0;
};

struct WaterfallScale {
  double low = 0;
  double high = 1;
  [[nodiscard]] double at(double share) const noexcept {
    return bars_left + (bars_right - bars_left) * (share - low) / (high - low);
  }
};

/// What is between the first bars and the last one, as one bar, where there are too many.
std::vector<WaterfallBar> waterfall_bars_to_draw(const std::vector<WaterfallBar>& bars) {
  if (bars.size() <= most_waterfall_bars) return bars;
  const auto first_left_out = bars.begin() + static_cast<std::ptrdiff_t>(most_waterfall_bars) - 2;
  std::vector<WaterfallBar> out(bars.begin(), first_left_out);
  WideSum lost = 0;
  for (auto bar = first_left_out; bar != bars.end() - 1; ++bar) {
    if (bar->kind == BarKind::loss) lost += bar->time_ns;
    if (bar->kind == BarKind::gain) lost -= bar->time_ns;
  }
  const std::size_t merged = bars.size() - most_waterfall_bars + 1;
  out.push_back({fmt::format("{} more rows, together", with_separators(static_cast<std::int64_t>(merged))),
                 lost < 0 ? -lost : lost, lost < 0 ? BarKind::gain : BarKind::loss});
  out.push_back(bars.back());
  return out;
}

std::vector<FloatingBar> floating_bars(const std::vector<WaterfallBar>& bars, double total_ns) {
  std::vector<FloatingBar> out;
  double level = 0;
  for (const WaterfallBar& bar : bars) {
    const double share = static_cast<double>(bar.time_ns) / total_ns;
    const bool stands_on_zero = bar.kind == BarKind::total || bar.kind == BarKind::result;
    const double begin = stands_on_zero ? 0 : level;
    level = stands_on_zero ? share : bar.kind == BarKind::gain ? level + share : level - share;
    out.push_back({&bar, begin, level});
  }
  return out;
}

WaterfallScale waterfall_scale(const std::vector<FloatingBar>& bars) noexcept {
  // Rounding of shares must not make the axis longer than 100 %.
  constexpr double rounding = 1e-9;
  WaterfallScale scale;
  for (const FloatingBar& bar : bars) {
    if (bar.end < -rounding) scale.low = std::min(scale.low, bar.end);
    if (bar.end > 1 + rounding) scale.high = std::max(scale.high, bar.end);
  }
  return scale;
}

/// 1, 2 or 5 times a power of ten, so that the axis has about five parts: 20 % for 0 to 100 %.
double waterfall_tick(const WaterfallScale& scale) {
  const double wanted = (scale.high - scale.low) / 5 * (1 - 1e-9);
  const double power = std::pow(10.0, std::floor(std::log10(wanted)));
  for (const double digit : {1.0, 2.0, 5.0}) {
    if (digit * power >= wanted) return digit * power;
  }
  return 10 * power;
}

void draw_waterfall_axis(Svg& svg, const WaterfallScale& scale, double top, double bottom) {
  const double tick = waterfall_tick(scale);
  for (double step = std::ceil(scale.low / tick - 1e-9); step * tick <= scale.high + 1e-9 * tick; ++step) {
    const double share = step == 0 ? 0 : step * tick;  // never -0
    const double x = scale.at(share);
    svg.line({x, top}, {x, bottom}, {.colour = step == 0 ? ink::axis : ink::grid});
    svg.text({x, bottom + 16}, figure_number(share * 100, 6) + " %",
             {.anchor = TextAnchor::middle, .fill = ink::faint_text});
  }
}

std::string signed_share(const FloatingBar& floating, double total_ns) {
  const double share = static_cast<double>(floating.bar->time_ns) / total_ns;
  const std::string text = figure_share(share);
  if (floating.bar->kind == BarKind::loss && share > 0) return "−" + text;
  return floating.bar->kind == BarKind::gain && share > 0 ? "+" + text : text;
}

std::string waterfall_tooltip(const FloatingBar& floating, double total_ns) {
  const WaterfallBar& bar = *floating.bar;
  std::string out = fmt::format("{}\n{} of 100 %, {}", printable(bar.label, most_tooltip_characters),
                                signed_share(floating, total_ns), duration_text(bar.time_ns));
  if (!bar.detail.empty()) out += "\n" + printable(bar.detail, most_tooltip_characters);
  return out;
}

void draw_waterfall_row(Svg& svg, const FloatingBar& floating, const WaterfallScale& scale, double top,
                        double total_ns) {
  const WaterfallBar& bar = *floating.bar;
  const bool is_end = bar.kind == BarKind::total || bar.kind == BarKind::result;
  svg.begin_group(waterfall_tooltip(floating, total_ns));
  const double middle = top + waterfall_row_height / 2;
  const double letters = waterfall_label_size * (is_end ? bold_widening : 1);
  const std::vector<std::string> lines =
      wrapped(shown_text(bar.label, most_label_characters), letters, bars_left - 12 - figure_margin, 2);
  double y = middle + 4.5 - 7.5 * (static_cast<double>(lines.size()) - 1);
  for (const std::string& line : lines) {
    svg.text({bars_left - 12, y}, line, {.size = waterfall_label_size, .anchor = TextAnchor::end, .is_bold = is_end});
    y += 15;
  }
  const double left = scale.at(std::min(floating.begin, floating.end));
  const double right = std::max(scale.at(std::max(floating.begin, floating.end)), left + least_bar_width);
  svg.rectangle({left, middle - waterfall_bar_height / 2, right, middle + waterfall_bar_height / 2},
                waterfall_colour(bar.kind));
  const TextStyle figures = {.size = waterfall_label_size, .anchor = TextAnchor::end, .is_bold = is_end};
  svg.text({percents_right, middle + 4.5}, signed_share(floating, total_ns), figures);
  svg.text({times_right, middle + 4.5}, duration_text(bar.time_ns), figures);
  svg.end_group();
}

std::string waterfall_description(const std::vector<FloatingBar>& bars, std::string_view caption, double total_ns) {
  std::string out = printable(caption, most_label_characters);
  for (const FloatingBar& floating : bars) {
    out += fmt::format("\n{}: {}, {}.", shown_text(floating.bar->label, most_label_characters),
                       signed_share(floating, total_ns), duration_text(floating.bar->time_ns));
  }
  return out;
}

/// Absent without a time that shares can be of.
std::optional<double> waterfall_total(const std::vector<WaterfallBar>& bars) {
  const auto total = std::find_if(bars.begin(), bars.end(), [](const auto& bar) { return bar.kind == BarKind::total; });
  if (total == bars.end() || total->time_ns <= 0) return {};
  return static_cast<double>(total->time_ns);
}
}  // namespace

std::string waterfall_figure(const WaterfallChart& chart) {
  const std::optional<double> total_ns = waterfall_total(chart.bars);
  if (!total_ns)
    return empty_figure(chart.title, chart.caption, "No device time: there is nothing to draw.", chart.notes);
  const std::vector<WaterfallBar> bars = waterfall_bars_to_draw(chart.bars);
  const std::vector<FloatingBar> floating = floating_bars(bars, *total_ns);
  const WaterfallScale scale = waterfall_scale(floating);

  Svg svg;
  const double top = draw_heading(svg, chart.title, chart.caption) + 8;
  const double bottom = top + waterfall_row_height * static_cast<double>(floating.size());
  draw_waterfall_axis(svg, scale, top, bottom);
  double row_top = top;
  for (std::size_t i = 0; i < floating.size(); ++i, row_top += waterfall_row_height) {
    if (i > 0) {
      const double x = scale.at(floating[i - 1].end);
      const double half_gap = (waterfall_row_height - waterfall_bar_height) / 2;
      svg.line({x, row_top - half_gap}, {x, row_top + half_gap}, {.colour = ink::axis});
    }
    draw_waterfall_row(svg, floating[i], scale, row_top, *total_ns);
  }
  const double end = draw_notes(svg, chart.notes, bottom + 34);
  return svg.finish(end + (chart.notes.empty() ? 0 : figure_margin - 8), chart.title,
                    waterfall_description(floating, chart.caption, *total_ns));
}
}  // namespace kinetoscope::report
