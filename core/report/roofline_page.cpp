#include "core/report/roofline_page.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/format.hpp"
#include "core/analysis/roofline_cells.hpp"
#include "core/report/efficiency_json.hpp"
#include "core/report/held_against.hpp"
#include "core/report/info_parts.hpp"

namespace kinetoscope::report {
namespace {

constexpr std::size_t longest_shapes = 160;
constexpr std::size_t most_unmodelled_listed = 3;

/// Those members of a document that are named.
Json picked(const Json& document, std::initializer_list<std::string_view> keys) {
  Json out = Json::object();
  for (const std::string_view key : keys) {
    for (const std::string& name : {std::string(key), std::string(key) + "_reason"}) {
      if (const auto found = document.find(name); found != document.end()) out[name] = *found;
    }
  }
  return out;
}

/// MFU, HFU and MBU with what they were divided by, and where the rest of the time went.
Json use_of_peak_json(const analysis::Efficiency& efficiency) {
  const Json document = efficiency_json(efficiency, 0);
  const Json& whole = document.at("whole");
  Json out = picked(whole, {"time_ns", "mfu", "hfu", "mbu", "is_above_peak", "tflops_per_s", "gigabytes_per_s"});
  out["peaks"] = Json::array();
  for (const Json& peak : document.at("peaks")) {
    Json row = picked(peak, {"spec", "tflops", "is_estimated", "mfu", "notes"});
    if (row.at("tflops").is_object()) row["tflops"] = row["tflops"].at("value");
    out["peaks"].push_back(std::move(row));
  }
  out["waterfall"] = whole.at("waterfall").at("rows");
  Json unmodelled = whole.at("unmodelled");
  Json& operators = unmodelled["operators"];
  while (operators.size() > most_unmodelled_listed) operators.erase(operators.size() - 1);
  out["unmodelled"] = std::move(unmodelled);
  return out;
}

Json short_ranked_json(const analysis::RankedWork& ranked) {
  Json out = {{"calls", ranked.calls}, {"counted_ns", ranked.counted_ns}};
  put_known(out, "percent_of_busy", ranked.percent_of_busy);
  out["recoverable_ns"] = std::llround(ranked.totals.recoverable_ns);
  put_known(out, "recoverable_percent_of_busy", ranked.recoverable_percent_of_busy);
  put_known(out, "percent_of_roofline", ranked.percent_of_roofline);
  return out;
}

/// What the model says of one call of a group.
void put_model(Json& out, const analysis::WorkRow& row) {
  const perf_model::Estimate* const estimate = row.estimate;
  out["quality"] = spelling_of(estimate == nullptr ? perf_model::Quality::none : estimate->quality);
  const auto optional_figure = [](const std::optional<double>& value) {
    return value ? number_json(*value) : Json(nullptr);
  };
  out["flops_a_call"] = estimate == nullptr ? Json(nullptr) : optional_figure(estimate->flops);
  out["bytes_a_call"] = estimate == nullptr ? Json(nullptr) : optional_figure(estimate->bytes_moved);
  const std::optional<perf_model::Roofline>& roofline = row.roofline.first;
  out["bound"] = roofline && roofline->bound ? Json(spelling_of(*roofline->bound)) : Json(nullptr);
  const auto remark = analysis::model_remark(estimate);
  if (!remark.empty()) out["remark"] = text_json(remark);
}

Json short_group_json(const analysis::RooflineGroup& group) {
  const analysis::WorkRow& row = *group.row;
  Json out = {{"name", text_json(row.name)}, {"category", text_json(row.category)}, {"example", row.example}};
  out["input_dims"] = row.input_dims ? Json(printable(*row.input_dims, longest_shapes)) : Json(nullptr);
  out.update(short_ranked_json(group.ranked));
  put_model(out, row);
  return out;
}
}  // namespace

Json roofline_page_json(const analysis::RooflineReport& report, const GroupPage& page) {
  const analysis::RooflineSummary& summary = report.summary;
  Json out = {{"scope", text_json(text_of(report.options.scope))}};
  out["platform"] =
      picked(held_against_json(report.held), {"name", "source", "reason", "mem_bw_gbps", "notes", "warnings"});
  out["busy_ns"] = summary.busy_ns;
  out["unlinked"] = unlinked_json(report.unlinked);
  out["efficiency"] = report.efficiency ? use_of_peak_json(*report.efficiency) : Json(nullptr);
  out["whole"] = short_ranked_json(summary.whole);
  out["categories"] = Json::array();
  for (const analysis::RooflineCategory& category : summary.categories) {
    Json row = {{"category", text_json(category.category)}};
    row.update(short_ranked_json(category.ranked));
    out["categories"].push_back(std::move(row));
  }
  const std::size_t first = std::min(page.first_group, summary.groups.size());
  const std::size_t end = std::min(summary.groups.size(), first + page.most_groups);
  out["total"] = summary.groups.size();
  out["returned"] = end - first;
  out["groups"] = Json::array();
  for (std::size_t place = first; place < end; ++place)
    out["groups"].push_back(short_group_json(summary.groups[place]));
  return out;
}
}  // namespace kinetoscope::report
