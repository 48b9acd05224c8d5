#include "core/report/overview_json.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "core/report/info_parts.hpp"
#include "core/report/text_parts.hpp"

namespace kinetoscope::report {
namespace {

constexpr std::size_t most_steps_listed = 10;
constexpr std::size_t most_categories_listed = 20;
constexpr std::size_t most_diagnostics_listed = 12;

Json share_of(std::int64_t part_ns, std::int64_t whole_ns) {
  return whole_ns > 0 ? Json(static_cast<double>(part_ns) / static_cast<double>(whole_ns)) : Json(nullptr);
}

Json gpu_use_json(const analysis::GpuPopulation& gpu) {
  return {{"gpu_events", gpu.events},
          {"span_ns", gpu.span_ns},
          {"busy_ns", gpu.busy_ns},
          {"busy_share", share_of(gpu.busy_ns, gpu.span_ns)},
          {"idle_ns", gpu.idle_ns},
          {"computation_ns", gpu.computation_ns},
          {"exposed_communication_ns", gpu.exposed_communication_ns},
          {"memcpy_ns", gpu.memcpy_ns}};
}

Json timeline_parts(const analysis::Tables& tables) {
  Json parts = Json::array();
  for (const analysis::TimelineRow& row : tables.timeline.rows) {
    if (row.is_recompute && *row.is_recompute) continue;
    Json part = {{"part", spelling_of(row.type)}, {"time_ns", row.time_ns}};
    put_known(part, "percent", row.percent);
    parts.push_back(std::move(part));
  }
  return parts;
}

Json totals_json(const analysis::LauncherTotals& totals) {
  Json out = {{"calls", totals.launchers}};
  put_sum(out, "kernel_ns", totals.direct_ns);
  out["counted_ns"] = totals.counted_ns;
  put_known(out, "percent_of_total", totals.percent_of_whole);
  return out;
}

Json categories_json(const analysis::OperatorTables& operators) {
  Json rows = Json::array();
  for (const analysis::CategoryRow& row : operators.by_category) {
    if (rows.size() == most_categories_listed) break;
    Json out = {{"category", text_json(row.category)}};
    out.update(totals_json(row.totals));
    rows.push_back(std::move(out));
  }
  return rows;
}

Json operator_page(const analysis::OperatorTables& operators, const OverviewPage& page) {
  const std::size_t first = std::min(page.first_operator, operators.summary.size());
  const std::size_t end = std::min(operators.summary.size(), first + page.most_operators);
  Json rows = Json::array();
  for (std::size_t place = first; place < end; ++place) {
    const analysis::OperatorRow& row = operators.summary[place];
    Json out = {{"name", text_json(row.name)},
                {"category", row.categories.empty() ? "" : text_json(row.categories[0])}};
    out.update(totals_json(row.totals));
    rows.push_back(std::move(out));
  }
  return rows;
}

Json step_rows(const Info& info) {
  Json rows = Json::array();
  for (const analysis::StepOverview& step : info.overview.steps) {
    if (rows.size() == most_steps_listed) break;
    rows.push_back({{"step", rows.size()},
                    {"name", text_json(step.name)},
                    {"duration_ns", step.end_ns - step.begin_ns},
                    {"busy_ns", step.busy_ns},
                    {"may_be_cut", step.may_be_cut}});
  }
  return rows;
}

Json device_rows(const Info& info) {
  Json rows = Json::array();
  for (const analysis::DeviceOverview& device : info.overview.devices) {
    if (device.gpu_events == 0) continue;
    rows.push_back({{"id", device.properties.id},
                    {"name", text_or_null(device.properties.name)},
                    {"gpu_events", device.gpu_events},
                    {"busy_ns", device.busy_ns}});
  }
  return rows;
}

/// How to record a trace that answers more stands with the questions that are denied: it is long.
Json fitness_rows(const analysis::FitnessReport& fitness) {
  Json rows = Json::object();
  for (std::size_t place = 0; place < analysis::question_count; ++place) {
    const auto question = static_cast<analysis::Question>(place);
    const analysis::Fitness& answer = fitness.of(question);
    rows[std::string(spelling_of(question))] = {{"verdict", spelling_of(answer.verdict)},
                                                {"reason", text_json(answer.reason)}};
  }
  return rows;
}

Json first_diagnostics(const Diagnostics& diagnostics) {
  Json rows = diagnostics_json(diagnostics);
  while (rows.size() > most_diagnostics_listed) rows.erase(rows.size() - 1);
  return rows;
}
}  // namespace

Json overview_json(const Info& info, const analysis::Tables& tables, const OverviewPage& page) {
  Json out = {{"kind", spelling_of(info.overview.kind)}, {"utilisation", timeline_parts(tables)}};
  out["unlinked"] = unlinked_json(tables.unlinked);
  out["devices"] = device_rows(info);
  out["steps_total"] = info.overview.steps.size();
  out["steps"] = step_rows(info);
  if (!tables.operators) {
    out["operators_reason"] = text_json(info.fitness.of(analysis::Question::operators).reason);
    return out;
  }
  out["categories_total"] = tables.operators->by_category.size();
  out["categories"] = categories_json(*tables.operators);
  out["total"] = tables.operators->summary.size();
  out["operators"] = operator_page(*tables.operators, page);
  out["returned"] = out["operators"].size();
  return out;
}

Json loaded_json(const Info& info) {
  return {{"kind", spelling_of(info.overview.kind)},
          {"partial", partial_json(info.overview.partial)},
          {"events", info.overview.events},
          {"gpu", gpu_use_json(info.all)},
          {"devices", device_rows(info)},
          {"steps_total", info.overview.steps.size()},
          {"steps", step_rows(info)},
          {"fitness", fitness_rows(info.fitness)},
          {"diagnostics", first_diagnostics(info.diagnostics)}};
}
}  // namespace kinetoscope::report
