#include "core/report/roofline_figures.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/base/format.hpp"
#include "core/report/figures/roofline_figure.hpp"
#include "core/report/figures/waterfall_figure.hpp"

namespace kinetoscope::report {
namespace {

using analysis::WaterfallPart;

struct PartLabel {
  WaterfallPart part{};
  std::string_view label;
  BarKind kind = BarKind::loss;
};
constexpr std::array part_labels = {
    PartLabel{WaterfallPart::total_time, "device time at peak", BarKind::total},
    PartLabel{WaterfallPart::idle, "idle"},
    PartLabel{WaterfallPart::exposed_communication, "exposed communication"},
    PartLabel{WaterfallPart::exposed_copies, "exposed copies"},
    PartLabel{WaterfallPart::unmodelled_work, "work without a model"},
    PartLabel{WaterfallPart::recompute, "recompute"},
    PartLabel{WaterfallPart::memory_bound, "memory-bound work"},
    PartLabel{WaterfallPart::vector_work, "vector work"},
    PartLabel{WaterfallPart::ceiling_below_peak, "measured ceiling below the data-sheet peak"},
    PartLabel{WaterfallPart::kernel_inefficiency, "kernels slower than their roofline"},
    PartLabel{WaterfallPart::achieved, "achieved", BarKind::result},
    PartLabel{WaterfallPart::above_roofline, "above the roofline", BarKind::gain},
    PartLabel{WaterfallPart::at_peak, "model FLOPs at peak", BarKind::result},
};
constexpr bool labels_follow_parts() {
  for (std::size_t i = 0; i < part_labels.size(); ++i) {
    if (static_cast<std::size_t>(part_labels[i].part) != i) return false;
  }
  return part_labels.size() == analysis::waterfall_parts.size();
}
static_assert(labels_follow_parts());

std::string percent_words(const Known<double>& share) {
  return share ? fmt::format("{:.1f} %", 100 * *share) : "unknown";
}

std::string platform_words(const analysis::HeldAgainst& held) {
  return held.platform ? held.platform->name : "no platform: " + held.reason;
}

/// FLOPs without bytes stand at infinity, which the figure counts apart; without either there is no point.
RooflinePoint point_of(const analysis::RooflineGroup& group, std::int64_t busy_ns) {
  const analysis::RooflineTotals& totals = group.ranked.totals;
  RooflinePoint point;
  point.name = group.row->name;
  point.category = group.row->category;
  point.flops_per_byte =
      totals.bytes_moved > 0 ? totals.flops / totals.bytes_moved : std::numeric_limits<double>::infinity();
  point.tflops_per_s = group.ranked.tflops_per_s ? *group.ranked.tflops_per_s : 0;
  point.time_share = static_cast<double>(totals.counted_ns) / static_cast<double>(busy_ns);
  if (group.ranked.percent_of_roofline) point.roofline_share = *group.ranked.percent_of_roofline / 100;
  return point;
}

void add_ceiling(RooflineChart& chart, const perf_model::Platform& platform, const perf_model::Roofline& roofline) {
  const auto is_same = [&](const RooflineCeiling& there) { return there.spec == roofline.answered_by; };
  if (roofline.answered_by.empty() || std::ranges::any_of(chart.ceilings, is_same)) return;
  const perf_model::Ceiling ceiling = ceiling_of(platform, roofline.answered_by);
  if (!ceiling.figure) return;
  chart.ceilings.push_back(
      {roofline.answered_by, ceiling.figure->value, std::string(spelling_of(ceiling.figure->kind))});
}

RooflineChart chart_of(const RooflineResult& result) {
  const analysis::RooflineReport& report = *result.report;
  RooflineChart chart;
  chart.title = "Roofline: " + result.file;
  chart.caption = fmt::format("{}; shares are of {} of GPU work", platform_words(report.held),
                              duration_text(report.summary.busy_ns));
  if (!report.held.platform || report.summary.busy_ns <= 0) return chart;
  chart.bandwidth_gb_per_s = report.held.platform->mem_bw_gbps.value;
  for (const analysis::RooflineGroup& group : report.summary.groups) {
    if (group.ranked.totals.calls == 0) continue;
    chart.points.push_back(point_of(group, report.summary.busy_ns));
    if (group.row->roofline.first) add_ceiling(chart, *report.held.platform, *group.row->roofline.first);
  }
  const analysis::RankedWork& whole = report.summary.whole;
  chart.unmodelled_share =
      static_cast<double>(whole.counted_ns - whole.totals.counted_ns) / static_cast<double>(report.summary.busy_ns);
  return chart;
}

/// "of 989.5 TFLOP/s dense matrix_bf16 over 12.3 ms of device time".
std::string denominator_words(const analysis::Efficiency& efficiency) {
  std::string peaks;
  for (const analysis::PeakUse& use : efficiency.peaks) {
    if (!use.peak.tflops) continue;
    if (!peaks.empty()) peaks += ", ";
    peaks += fmt::format("{:.1f} TFLOP/s dense {}", use.peak.tflops->value, use.peak.answered_by);
  }
  return fmt::format("of {} over {} of device time", peaks.empty() ? "no peak" : peaks,
                     duration_text(efficiency.whole.time_ns));
}

WaterfallChart waterfall_of(const RooflineResult& result) {
  const analysis::RooflineReport& report = *result.report;
  WaterfallChart chart;
  if (!report.efficiency) {
    chart.title = "Where the time went: " + result.file;
    chart.caption = platform_words(report.held);
    return chart;
  }
  const analysis::Efficiency& efficiency = *report.efficiency;
  const analysis::LossWaterfall& waterfall = efficiency.whole.waterfall;
  chart.title =
      fmt::format("Where the time went: {} MFU on {}", percent_words(efficiency.whole.mfu), efficiency.platform);
  chart.caption = denominator_words(efficiency);
  const bool has_excess = waterfall.time_ns(WaterfallPart::above_roofline) > 0;
  for (const PartLabel& part : part_labels) {
    const bool is_excess = part.part == WaterfallPart::above_roofline || part.part == WaterfallPart::at_peak;
    if (is_excess && !has_excess) continue;
    chart.bars.push_back({std::string(part.label), waterfall.time_ns(part.part), part.kind});
  }
  for (const analysis::PeakUse& use : efficiency.peaks) {
    for (const std::string& note : use.peak.notes) chart.notes.push_back(use.peak.spec + ": " + note);
  }
  return chart;
}
}  // namespace

std::string roofline_svg(const RooflineResult& result) { return roofline_figure(chart_of(result)); }
std::string waterfall_svg(const RooflineResult& result) { return waterfall_figure(waterfall_of(result)); }
}  // namespace kinetoscope::report
