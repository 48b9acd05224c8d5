#include "core/report/roofline_text.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/format.hpp"
#include "core/report/efficiency_json.hpp"
#include "core/report/held_against.hpp"
#include "core/report/inductor_cache.hpp"
#include "core/report/text_parts.hpp"
#include "core/report/text_table.hpp"
#include "core/report/user_operators.hpp"

namespace kinetoscope::report {
namespace {

constexpr std::size_t longest_path_shown = 400;
constexpr std::size_t longest_name_shown = 60;
constexpr std::size_t most_steps_in_text = 12;
constexpr std::size_t most_categories_in_text = 10;

std::string share_text(const Known<double>& share) { return share ? fmt::format("{:.1f} %", 100 * *share) : "unknown"; }
std::string of_hundred(const Known<double>& percent) { return percent ? fmt::format("{:.1f} %", *percent) : ""; }
std::string time_text(double time_ns) { return duration_text(static_cast<std::int64_t>(time_ns)); }
Cell at_right(std::string text, Colour colour = Colour::plain) { return {std::move(text), colour, true}; }
Cell faint_at_right(std::string text) { return at_right(std::move(text), Colour::faint); }

std::string roofline_head(const RooflineResult& result, bool is_coloured) {
  const analysis::RooflineReport& report = *result.report;
  std::string out = painted(printable(result.file, longest_path_shown), Colour::strong, is_coloured);
  const bool is_whole = report.options.scope.is_whole();
  out += fmt::format(": roofline of {}\n", is_whole ? "the whole trace" : printable(text_of(report.options.scope)));
  if (result.partial) {
    out += painted(fmt::format("  only a part: used up to byte {} ({})\n", result.partial->offset,
                               printable(result.partial->reason)),
                   Colour::bad, is_coloured);
  }
  out += fmt::format("  over {} of {} GPU events in scope{}\n", number(report.events), number(report.events_in_scope),
                     report.events == report.events_in_scope ? "" : "; the others have no recorded launch");
  return out + held_against_text(report.held, is_coloured) + user_operators_text(report.options.operators) +
         inductor_cache_text(report.options.compiled);
}

/// "420.1 of 989.4 TFLOP/s dense matrix_bf16 (peak)", one a spec.
std::string denominators(const analysis::Efficiency& efficiency) {
  std::string out;
  for (const analysis::PeakUse& use : efficiency.peaks) {
    if (!use.peak.tflops || !use.tflops_per_s) continue;
    if (!out.empty()) out += ", ";
    out += fmt::format("{:.1f} of {:.1f} TFLOP/s dense {} ({})", *use.tflops_per_s, use.peak.tflops->value,
                       use.peak.answered_by, spelling_of(use.peak.tflops->kind));
  }
  return out;
}

std::string utilisation_text(const analysis::Efficiency& efficiency, bool is_coloured) {
  const analysis::Utilisation& whole = efficiency.whole;
  TextTable table(is_coloured);
  table.add({{"MFU"}, at_right(share_text(whole.mfu)), {denominators(efficiency), Colour::faint}});
  table.add({{"HFU"}, at_right(share_text(whole.hfu)), {"with recomputed work", Colour::faint}});
  const std::string memory = whole.gigabytes_per_s ? fmt::format("{:.1f} of {:.1f} GB/s", *whole.gigabytes_per_s,
                                                                 efficiency.bandwidth_gbps.value)
                                                   : "";
  table.add({{"MBU"}, at_right(share_text(whole.mbu)), {memory, Colour::faint}});
  const std::string devices = efficiency.devices == 1 ? "one device" : number(efficiency.devices) + " devices";
  std::string out = heading(
      fmt::format("How much of the peak was used over {} of {}", duration_text(whole.time_ns), devices), is_coloured);
  out += table.render();
  if (is_above_peak(whole)) {
    out += painted("  more than the peak: a model claims too much work, or the trace too little time\n",
                   Colour::doubtful, is_coloured);
  }
  for (const analysis::PeakUse& use : efficiency.peaks) {
    for (const std::string& note : use.peak.notes)
      out += fmt::format("  {}: {}\n", use.peak.spec, printable(note, longest_path_shown));
    if (!use.peak.tflops)
      out += fmt::format("  {}: {}\n", use.peak.spec, printable(use.peak.reason, longest_path_shown));
  }
  return out;
}

std::string steps_text(const analysis::Efficiency& efficiency, bool is_coloured) {
  if (efficiency.by_step.empty()) return "";
  TextTable table(is_coloured);
  table.add({{""}, faint_at_right("time"), faint_at_right("MFU"), faint_at_right("HFU"), faint_at_right("MBU")});
  const std::size_t shown = std::min(most_steps_in_text, efficiency.by_step.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const analysis::StepUtilisation& step = efficiency.by_step[i];
    table.add({{fmt::format("{} {}", index_of(step.step), printable(step.name, longest_name_shown))},
               at_right(duration_text(step.part.time_ns)),
               at_right(share_text(step.part.mfu)),
               at_right(share_text(step.part.hfu)),
               at_right(share_text(step.part.mbu))});
  }
  std::string out = heading("By step", is_coloured) + table.render();
  if (shown < efficiency.by_step.size()) {
    out += fmt::format("  and {} more with --json\n", efficiency.by_step.size() - shown);
  }
  return out;
}

std::string waterfall_text(const analysis::LossWaterfall& waterfall, bool is_coloured) {
  TextTable table(is_coloured);
  for (const analysis::WaterfallRow& row : waterfall.rows) {
    using analysis::WaterfallPart;
    const bool is_excess = row.part == WaterfallPart::above_roofline || row.part == WaterfallPart::at_peak;
    if (is_excess && waterfall.time_ns(WaterfallPart::above_roofline) == 0) continue;
    const bool is_sum = row.part == WaterfallPart::total_time || row.part == WaterfallPart::achieved;
    table.add({{std::string(spelling_of(row.part)), is_sum ? Colour::strong : Colour::plain},
               at_right(duration_text(row.time_ns)),
               faint_at_right(row.share ? fmt::format("{:.1f} %", 100 * *row.share) : "")});
  }
  return heading("Where 100 % of the peak went", is_coloured) + table.render();
}

std::string unmodelled_text(const analysis::UnmodelledWork& unmodelled, bool is_coloured) {
  if (unmodelled.operators.empty()) return "";
  TextTable table(is_coloured);
  for (const analysis::UnmodelledOperator& one : unmodelled.operators) {
    table.add({{printable(one.name, longest_name_shown)},
               at_right(duration_text(one.counted_ns)),
               faint_at_right(share_text(one.share)),
               {printable(one.reason), Colour::faint}});
  }
  std::string out = heading("What no model explains", is_coloured) + table.render();
  const std::uint64_t others = unmodelled.names - unmodelled.operators.size();
  if (others > 0) out += fmt::format("  and {} more names\n", number(others));
  return out;
}

std::vector<Cell> ranked_cells(const analysis::RankedWork& ranked) {
  const auto& totals = ranked.totals;
  return {at_right(number(ranked.calls)),
          at_right(duration_text(ranked.counted_ns)),
          faint_at_right(of_hundred(ranked.percent_of_busy)),
          at_right(of_hundred(ranked.percent_of_roofline)),
          at_right(totals.calls > 0 ? time_text(totals.recoverable_ns) : ""),
          faint_at_right(totals.calls > 0 ? of_hundred(ranked.recoverable_percent_of_busy) : "")};
}

void add_ranked_row(TextTable& table, std::string name, const analysis::RankedWork& ranked, std::string remark) {
  std::vector<Cell> row = {{std::move(name)}};
  for (Cell& cell : ranked_cells(ranked)) row.push_back(std::move(cell));
  row.push_back({std::move(remark), Colour::faint});
  table.add(std::move(row));
}

void add_ranked_headings(TextTable& table) {
  table.add({{""},
             faint_at_right("calls"),
             faint_at_right("GPU time"),
             faint_at_right("of busy"),
             faint_at_right("of roofline"),
             faint_at_right("recoverable"),
             faint_at_right("of busy")});
}

/// "memory, 5,300 GB/s", "compute, 708 TFLOP/s matrix_bf16"; why not, where there is no roofline.
std::string bound_text(const analysis::WorkRow& row) {
  const std::optional<perf_model::Roofline>& roofline = row.roofline.first;
  if (!roofline) return row.estimate == nullptr ? "no model" : "";
  if (!roofline->bound) return printable(roofline->reason);
  if (*roofline->bound == perf_model::Bound::memory) return "memory";
  if (*roofline->bound == perf_model::Bound::link) return "links between devices";
  return fmt::format("compute, {:.1f} TFLOP/s {}", roofline->ceiling_tflops, roofline->answered_by);
}

std::string categories_of_roofline(const analysis::RooflineSummary& summary, bool is_coloured) {
  TextTable table(is_coloured);
  add_ranked_headings(table);
  const std::size_t shown = std::min(most_categories_in_text, summary.categories.size());
  for (std::size_t i = 0; i < shown; ++i) {
    add_ranked_row(table, printable(summary.categories[i].category), summary.categories[i].ranked, "");
  }
  add_ranked_row(table, "all", summary.whole, "");
  std::string out = heading("What could be recovered, by category", is_coloured) + table.render();
  if (shown < summary.categories.size())
    out += fmt::format("  and {} more with --json\n", summary.categories.size() - shown);
  return out;
}

std::string groups_text(const RooflineResult& result, bool is_coloured) {
  const analysis::RooflineSummary& summary = result.report->summary;
  TextTable table(is_coloured);
  add_ranked_headings(table);
  const std::size_t shown = std::min(result.most_groups, summary.groups.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const analysis::WorkRow& row = *summary.groups[i].row;
    std::string name = printable(row.name, longest_name_shown);
    if (row.input_dims) name += " " + printable(*row.input_dims, longest_name_shown);
    add_ranked_row(table, std::move(name), summary.groups[i].ranked, bound_text(row));
  }
  std::string out = heading("What could be recovered, by operator and shape", is_coloured) + table.render();
  if (shown < summary.groups.size()) {
    out += fmt::format("  and {} more with --top, or in unified_perf_summary of kinetoscope tables\n",
                       number(summary.groups.size() - shown));
  }
  return out;
}
}  // namespace

std::string roofline_text(const RooflineResult& result, bool is_coloured) {
  const analysis::RooflineReport& report = *result.report;
  std::string out = roofline_head(result, is_coloured);
  if (report.efficiency) {
    out += utilisation_text(*report.efficiency, is_coloured);
    out += waterfall_text(report.efficiency->whole.waterfall, is_coloured);
    out += steps_text(*report.efficiency, is_coloured);
  }
  out += categories_of_roofline(report.summary, is_coloured) + groups_text(result, is_coloured);
  if (report.efficiency) out += unmodelled_text(report.efficiency->whole.unmodelled, is_coloured);
  return out + diagnostics_text(result.diagnostics, is_coloured);
}
}  // namespace kinetoscope::report
