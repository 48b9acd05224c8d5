#include "core/report/category_sheets.hpp"

#include <utility>

#include "core/analysis/category_sheet_columns.hpp"

namespace kinetoscope::report {
namespace {

using WorkColumn = analysis::Column<analysis::WorkRow>;

Sheet category_sheet(const analysis::CategorySheet& made, std::vector<WorkColumn> columns) {
  Sheet sheet;
  sheet.name = made.name;
  sheet.caption = category_sheet_caption;
  sheet.rows = made.rows.size();
  sheet.columns.reserve(columns.size() + made.parameters.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    sheet.columns.push_back(sheet_column(columns[i]));
    if (i > 0) continue;
    for (const std::string_view parameter : made.parameters) {
      sheet.columns.push_back({analysis::parameter_heading(parameter), "", std::string(analysis::parameter_meaning)});
    }
  }
  sheet.append_row = [&made, columns = std::move(columns)](std::size_t row, std::vector<kinetoscope::Cell>& cells) {
    const analysis::WorkRow& shown = made.rows[row];
    cells.push_back(columns.front().cell(shown));
    for (const std::string_view parameter : made.parameters) {
      cells.push_back(analysis::parameter_cell(shown, parameter));
    }
    for (std::size_t i = 1; i < columns.size(); ++i) cells.push_back(columns[i].cell(shown));
  };
  return sheet;
}
}  // namespace

std::vector<Sheet> sheets_by_category(const analysis::CategorySheets& sheets, const analysis::TableOptions& options) {
  const auto columns = analysis::wanted_columns<analysis::WorkRow>(analysis::category_sheet_columns(), options);
  std::vector<Sheet> out;
  out.reserve(sheets.sheets.size());
  for (const analysis::CategorySheet& sheet : sheets.sheets) out.push_back(category_sheet(sheet, columns));
  return out;
}

std::vector<KnownSheet> known_category_sheets() {
  std::vector<KnownSheet> known;
  for (std::string& name : analysis::category_sheet_names()) {
    KnownSheet& sheet = known.emplace_back();
    sheet.name = std::move(name);
    for (const WorkColumn& column : analysis::category_sheet_columns()) sheet.headings.emplace_back(column.heading);
    sheet.heading_prefix = analysis::parameter_heading_prefix;
  }
  return known;
}
}  // namespace kinetoscope::report
