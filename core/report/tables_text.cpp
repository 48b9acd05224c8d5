#include "core/report/tables_text.hpp"

#include <fmt/format.h>

#include "core/base/format.hpp"
#include "core/report/held_against.hpp"
#include "core/report/inductor_cache.hpp"
#include "core/report/table_sheets.hpp"
#include "core/report/text_parts.hpp"
#include "core/report/text_table.hpp"
#include "core/report/user_operators.hpp"

namespace kinetoscope::report {
namespace {

constexpr std::size_t longest_path = 400;

std::string head(const TablesResult& result, bool is_coloured) {
  const analysis::Tables& tables = *result.tables;
  std::string out = painted(printable(result.file, longest_path), Colour::strong, is_coloured);
  const std::string scope = text_of(tables.options.scope);
  out += fmt::format(": tables of {}\n", tables.options.scope.is_whole() ? "the whole trace" : printable(scope));
  if (result.partial) {
    const std::string text = fmt::format("  only a part: used up to byte {} ({})\n", result.partial->offset,
                                         printable(result.partial->reason));
    out += painted(text, Colour::bad, is_coloured);
  }
  out += "  " + population_sentence(tables) + "\n";
  for (const analysis::UnlinkedShare& cause : tables.unlinked.causes) {
    out += fmt::format("  {} GPU events without a launch, {}: {}\n", number(cause.events), duration_text(cause.time_ns),
                       spelling_of(cause.cause));
  }
  return out + held_against_text(tables.held_against, is_coloured) + user_operators_text(tables.options.operators) +
         inductor_cache_text(tables.options.compiled);
}

std::string percent_text(const Known<double>& percent) { return percent ? fmt::format("{:.1f} %", *percent) : ""; }

std::string timeline_text(const analysis::TimelineTables& timeline, bool is_coloured) {
  TextTable table(is_coloured);
  for (const analysis::TimelineRow& row : timeline.rows) {
    table.add({{std::string(spelling_of(row.type))},
               {duration_text(row.time_ns), Colour::plain, true},
               {percent_text(row.percent), Colour::faint, true},
               {row.is_recompute ? *row.is_recompute ? "recomputed" : "not recomputed" : ""}});
  }
  return table.empty() ? "" : heading("Where the GPU's time went", is_coloured) + table.render();
}

std::string categories_text(const std::optional<analysis::OperatorTables>& operators, bool is_coloured) {
  if (!operators) return "";
  TextTable table(is_coloured);
  table.add({{""}, {"calls", Colour::faint, true}, {"GPU time", Colour::faint, true}});
  std::size_t shown = 0;
  for (const analysis::CategoryRow& row : operators->by_category) {
    if (shown == most_categories_shown) break;
    ++shown;
    std::string remark = printable(row.parent_module);
    if (row.is_recompute) remark += remark.empty() ? "recomputed" : ", recomputed";
    table.add({{printable(row.category)},
               {number(row.totals.launchers), Colour::plain, true},
               {duration_text(row.totals.direct_ns), Colour::plain, true},
               {percent_text(row.totals.percentage), Colour::faint, true},
               {remark}});
  }
  if (shown == 0) return "";
  std::string out = heading("What kind of operators launched it", is_coloured) + table.render();
  const std::size_t others = operators->by_category.size() - shown;
  if (others > 0) out += fmt::format("  and {} more in ops_summary_by_category\n", others);
  return out;
}

std::string files_text(const TablesResult& result, bool is_coloured) {
  TextTable table(is_coloured);
  table.add({{""}, {"rows", Colour::faint, true}});
  const TableDestinations& destinations = result.destinations;
  for (const SheetReport& sheet : result.sheets) {
    if (!sheet.left_out_because.empty()) continue;
    table.add({{sheet.name + (destinations.folder ? ".csv" : "")},
               {number(sheet.rows), Colour::plain, true},
               {sheet.empty_because, Colour::faint}});
  }
  std::string where = "Tables";
  if (destinations.folder) where += " in " + printable(*destinations.folder, longest_path);
  if (destinations.workbook) {
    where += destinations.folder ? ", and as worksheets of " : " as worksheets of ";
    where += printable(*destinations.workbook, longest_path);
  }
  return heading(where, is_coloured) + table.render();
}

std::string left_out_text(const TablesResult& result, bool is_coloured) {
  TextTable table(is_coloured);
  for (const SheetReport& sheet : result.sheets) {
    if (!sheet.left_out_because.empty()) table.add({{sheet.name}, {sheet.left_out_because, Colour::faint}});
  }
  return table.empty() ? "" : heading("Left out", is_coloured) + table.render();
}

std::string limits_text(const TablesResult& result, bool is_coloured) {
  std::string out;
  for (const std::string& sentence : limits_reached(result)) out += "  " + sentence + "\n";
  return out.empty() ? "" : heading("Limits reached", is_coloured) + out;
}

std::string unit_and_option(const DescribedColumn& column) {
  std::string out;
  if (!column.column.unit.empty()) out += fmt::format(" [{}]", column.column.unit);
  if (!column.asked_by.empty()) out += fmt::format(" ({})", column.asked_by);
  return out;
}
}  // namespace

std::string tables_text(const TablesResult& result, bool is_coloured) {
  return head(result, is_coloured) + timeline_text(result.tables->timeline, is_coloured) +
         categories_text(result.tables->operators, is_coloured) + files_text(result, is_coloured) +
         left_out_text(result, is_coloured) + limits_text(result, is_coloured) +
         diagnostics_text(result.diagnostics, is_coloured);
}

std::string described_sheets_text(bool is_coloured) {
  std::string out;
  for (const DescribedSheet& sheet : described_sheets()) {
    if (!out.empty()) out += "\n";
    out += painted(sheet.name, Colour::strong, is_coloured);
    if (!sheet.also_named.empty()) out += fmt::format(", {}", fmt::join(sheet.also_named, ", "));
    if (!sheet.asked_by.empty()) out += fmt::format(" ({})", sheet.asked_by);
    out += fmt::format(": {}\n", sheet.caption);
    for (const DescribedColumn& column : sheet.columns) {
      out += fmt::format("  {}{}: {}\n", column.column.heading, unit_and_option(column), column.column.meaning);
    }
  }
  return out;
}
}  // namespace kinetoscope::report
