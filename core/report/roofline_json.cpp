#include "core/report/roofline_json.hpp"

#include <algorithm>

#include "core/analysis/roofline_cells.hpp"
#include "core/report/efficiency_json.hpp"
#include "core/report/held_against.hpp"
#include "core/report/inductor_cache.hpp"
#include "core/report/info_parts.hpp"
#include "core/report/user_operators.hpp"

namespace kinetoscope::report {
namespace {

Json optional_number(const std::optional<double>& value) { return value ? number_json(*value) : Json(nullptr); }
Json optional_text(const std::optional<std::string_view>& text) { return text ? text_json(*text) : Json(nullptr); }
void put_ranked(Json& object, const analysis::RankedWork& ranked) {
  const analysis::RooflineTotals& totals = ranked.totals;
  object["calls"] = ranked.calls;
  object["counted_ns"] = ranked.counted_ns;
  put_known(object, "percent_of_busy", ranked.percent_of_busy);
  object["modelled_calls"] = totals.calls;
  object["modelled_counted_ns"] = totals.counted_ns;
  put_known(object, "percent_of_modelled", ranked.percent_of_modelled);
  put_sum(object, "modelled_kernel_ns", totals.kernel_ns);
  object["roofline_ns"] = number_json(totals.time_ns);
  object["recoverable_ns"] = number_json(totals.recoverable_ns);
  put_known(object, "recoverable_percent_of_busy", ranked.recoverable_percent_of_busy);
  put_known(object, "percent_of_roofline", ranked.percent_of_roofline);
  put_known(object, "tflops_per_s", ranked.tflops_per_s);
  put_known(object, "terabytes_per_s", ranked.terabytes_per_s);
}

/// Of one call of the group.
Json call_json(const analysis::WorkRow& row) {
  Json out;
  const perf_model::Estimate* const estimate = row.estimate;
  out["flops"] = estimate == nullptr ? Json(nullptr) : optional_number(estimate->flops);
  out["bytes_moved"] = estimate == nullptr ? Json(nullptr) : optional_number(estimate->bytes_moved);
  out["compute_spec"] =
      estimate == nullptr ? Json(nullptr) : text_or_null(perf_model::compute_spec(estimate->unit, estimate->precision));
  const auto quality = estimate == nullptr ? perf_model::Quality::none : estimate->quality;
  out["quality"] = spelling_of(quality);
  out["remark"] = text_or_null(analysis::model_remark(estimate));
  const std::optional<perf_model::Roofline>& roofline = row.roofline.first;
  const bool is_held = roofline && roofline->time_ns;
  out["roofline_ns"] = is_held ? number_json(*roofline->time_ns) : Json(nullptr);
  out["bound"] = is_held && roofline->bound ? Json(spelling_of(*roofline->bound)) : Json(nullptr);
  out["ceiling_tflops"] =
      roofline && roofline->ceiling_tflops > 0 ? number_json(roofline->ceiling_tflops) : Json(nullptr);
  out["answered_by"] = roofline ? text_or_null(roofline->answered_by) : Json(nullptr);
  out["roofline_remark"] = text_or_null(analysis::roofline_remark(row.roofline, row.estimate));
  return out;
}

Json group_json(const analysis::RooflineGroup& group) {
  const analysis::WorkRow& row = *group.row;
  Json out = {{"name", text_json(row.name)}, {"category", text_json(row.category)}, {"example", row.example}};
  out["input_dims"] = optional_text(row.input_dims);
  out["input_types"] = optional_text(row.input_types);
  put_ranked(out, group.ranked);
  out["call"] = call_json(row);
  return out;
}
}  // namespace

Json roofline_json(const RooflineResult& result) {
  const analysis::RooflineReport& report = *result.report;
  Json out;
  out["schema"] = "kinetoscope.roofline.1";
  out["file"] = text_json(result.file);
  out["partial"] = partial_json(result.partial);
  out["scope"] = text_json(text_of(report.options.scope));
  out["population"] = {{"events", report.events},
                       {"events_in_scope", report.events_in_scope},
                       {"includes_unlinked", report.options.includes_unlinked}};
  out["unlinked"] = unlinked_json(report.unlinked);
  out["platform"] = held_against_json(report.held);
  out["user_operators"] = user_operators_json(report.options.operators);
  out["inductor_cache"] = inductor_cache_json(report.options.compiled);
  out["busy_ns"] = report.summary.busy_ns;
  out["efficiency"] = report.efficiency ? efficiency_json(*report.efficiency, most_steps_shown) : Json(nullptr);
  out["whole"] = Json::object();
  put_ranked(out["whole"], report.summary.whole);
  out["categories"] = Json::array();
  for (const analysis::RooflineCategory& category : report.summary.categories) {
    Json row = {{"category", text_json(category.category)}};
    put_ranked(row, category.ranked);
    out["categories"].push_back(std::move(row));
  }
  out["groups_total"] = report.summary.groups.size();
  out["groups"] = Json::array();
  const std::size_t shown = std::min(result.most_groups, report.summary.groups.size());
  for (std::size_t i = 0; i < shown; ++i) out["groups"].push_back(group_json(report.summary.groups[i]));
  out["diagnostics"] = diagnostics_json(result.diagnostics);
  return out;
}
}  // namespace kinetoscope::report
