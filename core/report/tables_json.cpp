#include "core/report/tables_json.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "core/report/held_against.hpp"
#include "core/report/inductor_cache.hpp"
#include "core/report/info_parts.hpp"
#include "core/report/table_sheets.hpp"
#include "core/report/text_parts.hpp"
#include "core/report/user_operators.hpp"

namespace kinetoscope::report {
namespace {

Json timeline_json(const analysis::Tables& tables) {
  Json rows = Json::array();
  for (const analysis::TimelineRow& row : tables.timeline.rows) {
    Json out = {{"type", spelling_of(row.type)}, {"time_ns", row.time_ns}};
    put_known(out, "percent", row.percent);
    if (row.is_recompute) out["is_recompute"] = *row.is_recompute;
    if (tables.options.detects_recompute) put_known(out, "percent_of_whole", row.percent_of_whole);
    rows.push_back(std::move(out));
  }
  return rows;
}

Json operators_json(const std::optional<analysis::OperatorTables>& operators) {
  if (!operators) return nullptr;
  Json categories = Json::array();
  for (const analysis::CategoryRow& row : operators->by_category) {
    if (categories.size() == most_categories_shown) break;
    Json out = {{"category", text_json(row.category)}, {"launchers", row.totals.launchers}};
    put_sum(out, "direct_ns", row.totals.direct_ns);
    out["counted_ns"] = row.totals.counted_ns;
    put_known(out, "percentage", row.totals.percentage);
    put_known(out, "percent_of_whole", row.totals.percent_of_whole);
    if (!row.parent_module.empty()) out["parent_module"] = text_json(row.parent_module);
    if (row.is_recompute) out["is_recompute"] = true;
    categories.push_back(std::move(out));
  }
  Json out;
  put_sum(out, "direct_ns", operators->direct_ns);
  out["counted_ns"] = operators->counted_ns;
  out["unowned_events"] = operators->unowned_events;
  out["unowned_counted_ns"] = operators->unowned_counted_ns;
  out["categories_total"] = operators->by_category.size();
  out["categories"] = std::move(categories);
  return out;
}

std::string file_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

Json sheets_json(const TablesResult& result) {
  Json out = Json::array();
  for (const SheetReport& sheet : result.sheets) {
    if (!sheet.left_out_because.empty()) continue;
    Json row = {{"name", sheet.name}, {"rows", sheet.rows}};
    row["file"] = result.destinations.folder ? Json(sheet.name + ".csv") : Json(nullptr);
    row["empty_because"] = sheet.empty_because.empty() ? Json(nullptr) : Json(sheet.empty_because);
    out.push_back(std::move(row));
  }
  return out;
}

Json left_out_json(const TablesResult& result) {
  Json out = Json::array();
  for (const SheetReport& sheet : result.sheets) {
    if (sheet.left_out_because.empty()) continue;
    out.push_back({{"name", sheet.name}, {"reason", sheet.left_out_because}});
  }
  return out;
}

constexpr std::size_t bytes_of_mib = std::size_t{1} << 20;

void add_operator_limits(const analysis::OperatorLimits& limits, std::vector<std::string>& sentences) {
  constexpr std::string_view overlap = "ops_unique_args_kl_overlap";
  if (limits.overlaps_not_compared > 0) {
    sentences.push_back(
        fmt::format("{} is left out: {} pairs of GPU events ran at the same time, at most {} are compared", overlap,
                    number(limits.overlaps_not_compared + analysis::most_overlaps_compared),
                    number(analysis::most_overlaps_compared)));
  }
  if (limits.rows_of_many_names > 0) {
    sentences.push_back(fmt::format("{}: {} rows do not say what ran beside them, it has more than {} names", overlap,
                                    number(limits.rows_of_many_names), analysis::most_overlapping_names));
  }
  if (limits.rows_without_overlaps > 0) {
    sentences.push_back(fmt::format("{}: {} rows do not say what ran beside them, the rows above take {} MiB to say so",
                                    overlap, number(limits.rows_without_overlaps),
                                    analysis::most_overlap_bytes / bytes_of_mib));
  }
}

void add_stack_limits(const analysis::RowsWithoutStacks& rows, std::vector<std::string>& sentences) {
  const auto add = [&](std::string_view sheet, std::uint64_t count) {
    if (count == 0) return;
    sentences.push_back(fmt::format("{}: {} rows have no call stack, those of the rows above take {} MiB", sheet,
                                    number(count), analysis::most_stack_bytes / bytes_of_mib));
  };
  add("ops_summary_by_category", rows.by_category);
  add("ops_summary", rows.summary);
  add("ops_unique_args", rows.unique_arguments);
  add("ops_unique_args_kl_overlap", rows.with_overlap);
}

Json limits_json(const TablesResult& result) {
  Json out = Json::array();
  for (const std::string& sentence : limits_reached(result)) out.push_back(text_json(sentence));
  return out;
}

std::string linked_sentence(const analysis::Tables& tables) {
  const std::string events = number(tables.events);
  if (!tables.has_launches) {
    return fmt::format("All {} GPU events in scope: the trace has no launches.", events);
  }
  if (tables.options.includes_unlinked) {
    return fmt::format("All {} GPU events in scope, with or without a recorded launch.", events);
  }
  if (tables.events == tables.events_in_scope) {
    return fmt::format("All {} GPU events in scope; each has a recorded launch.", events);
  }
  return fmt::format("The {} of {} GPU events in scope that have a recorded launch; the others are in unlinked_time{}.",
                     events, number(tables.events_in_scope),
                     tables.kernels ? ", kernels among them in kernel_summary, too" : "");
}

/// Which steps there are, where the scope asks for more.
std::string steps_sentence(const analysis::Tables& tables) {
  std::string out;
  for (const ScopeCondition& condition : tables.options.scope.conditions) {
    const auto* const range = std::get_if<StepRange>(&condition);
    if (range == nullptr || range->last < tables.steps) continue;
    const std::string there = tables.steps == 1 ? "step 0" : fmt::format("steps 0 to {}", tables.steps - 1);
    out += fmt::format(" Of {} the trace has no more than {}.", text_of(condition), there);
  }
  return out;
}

std::uint64_t calls_without_details(const TablesResult& result) {
  return result.tables->modelled ? result.tables->modelled->by_category.calls_without_details : 0;
}
}  // namespace

std::string population_sentence(const analysis::Tables& tables) {
  return linked_sentence(tables) + steps_sentence(tables);
}

std::vector<std::string> limits_reached(const TablesResult& result) {
  std::vector<std::string> sentences;
  for (const SheetReport& sheet : result.sheets) {
    if (sheet.workbook_rows_left_out > 0) {
      sentences.push_back(
          fmt::format("{}: {} rows are not in the workbook, a worksheet has room for 1,048,575; the CSV "
                      "has all",
                      sheet.name, number(sheet.workbook_rows_left_out)));
    }
    if (sheet.workbook_texts_cut > 0) {
      sentences.push_back(
          fmt::format("{}: {} texts are cut in the workbook, a cell has room for 32,767 characters; the "
                      "CSV has all",
                      sheet.name, number(sheet.workbook_texts_cut)));
    }
  }
  if (result.tables->operators) {
    add_stack_limits(result.tables->operators->limits.rows_without_stacks, sentences);
    add_operator_limits(result.tables->operators->limits, sentences);
  }
  if (const std::uint64_t calls = calls_without_details(result); calls > 0) {
    sentences.push_back(
        fmt::format("category sheets: the kernels of {} calls are not listed, they stand too deep inside one another",
                    number(calls)));
  }
  return sentences;
}

bool lacks_values(const TablesResult& result) {
  const auto has_rows_left_out = [](const SheetReport& sheet) { return sheet.workbook_rows_left_out > 0; };
  if (std::ranges::any_of(result.sheets, has_rows_left_out) || calls_without_details(result) > 0) return true;
  return result.tables->operators && result.tables->operators->limits != analysis::OperatorLimits();
}

Json tables_json(const TablesResult& result) {
  const analysis::Tables& tables = *result.tables;
  Json out;
  out["schema"] = "kinetoscope.tables.1";
  out["file"] = text_json(result.file);
  out["partial"] = partial_json(result.partial);
  out["scope"] = text_json(text_of(tables.options.scope));
  out["population"] = {{"description", population_sentence(tables)},
                       {"events", tables.events},
                       {"events_in_scope", tables.events_in_scope},
                       {"includes_unlinked", tables.options.includes_unlinked}};
  out["unlinked"] = unlinked_json(tables.unlinked);
  out["platform"] = held_against_json(tables.held_against);
  out["user_operators"] = user_operators_json(tables.options.operators);
  out["inductor_cache"] = inductor_cache_json(tables.options.compiled);
  out["timeline"] = timeline_json(tables);
  out["operators"] = operators_json(tables.operators);
  out["workbook"] = result.destinations.workbook ? text_json(file_name(*result.destinations.workbook)) : Json(nullptr);
  out["sheets"] = sheets_json(result);
  out["left_out"] = left_out_json(result);
  out["limits"] = limits_json(result);
  out["diagnostics"] = diagnostics_json(result.diagnostics);
  return out;
}

Json described_sheets_json() {
  Json sheets = Json::array();
  for (const DescribedSheet& sheet : described_sheets()) {
    Json columns = Json::array();
    for (const DescribedColumn& column : sheet.columns) {
      columns.push_back({{"heading", column.column.heading},
                         {"unit", column.column.unit},
                         {"meaning", column.column.meaning},
                         {"asked_by", column.asked_by}});
    }
    sheets.push_back({{"name", sheet.name},
                      {"also_named", sheet.also_named},
                      {"caption", sheet.caption},
                      {"asked_by", sheet.asked_by},
                      {"columns", std::move(columns)}});
  }
  return sheets;
}
}  // namespace kinetoscope::report
