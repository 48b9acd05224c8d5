#pragma once

// The sheets of a trace's tables, in the order of the files, and what each of them means. A sheet that was not asked
// for or has no rows is among them with the reason, so that nobody takes its absence for "all is well".

#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/tables.hpp"
#include "core/report/sheet.hpp"
#include "core/report/table_files.hpp"

namespace kinetoscope::report {

/// Refers to `tables`, which must outlive the sheets.
[[nodiscard]] std::vector<Sheet> sheets_of(const analysis::Tables& tables);

struct DescribedColumn {
  SheetColumn column;
  std::string_view asked_by;  ///< the option that adds it; empty where it is always there
};
struct DescribedSheet {
  std::string name;
  std::vector<std::string> also_named;  ///< other sheets of the same form, each there when it has rows
  std::string_view caption;             ///< what one row is, over what, in which order
  std::string_view asked_by;            ///< the option that adds the sheet; empty where it is there when it has rows
  std::vector<DescribedColumn> columns;
};
/// Every sheet there can be, with every column; those of one form together.
[[nodiscard]] std::vector<DescribedSheet> described_sheets();

/// How files of an earlier run are known.
[[nodiscard]] std::vector<KnownSheet> known_sheets();
}  // namespace kinetoscope::report
