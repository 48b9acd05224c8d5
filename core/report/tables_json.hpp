#pragma once

// What `tables --json` prints: schemas/artifacts/tables.schema.json. Which population the tables are over, where its
// time went, what is in the files, and what was left out and why. File names are without their folders.

#include <optional>
#include <string>
#include <vector>

#include "core/base/diagnostics.hpp"
#include "core/analysis/tables.hpp"
#include "core/report/json.hpp"
#include "core/report/table_files.hpp"

namespace kinetoscope::report {

/// Of the operators' categories, in the result; the sheet has all.
inline constexpr std::size_t most_categories_shown = 10;

/// All that the command says of a trace's tables. `tables` is owned by the caller.
struct TablesResult {
  std::string file;
  std::optional<PartialRead> partial;
  const analysis::Tables* tables = nullptr;
  TableDestinations destinations;
  std::vector<SheetReport> sheets{};
  Diagnostics diagnostics;
};

/// Over what the tables are, a sentence.
[[nodiscard]] std::string population_sentence(const analysis::Tables& tables);
/// What the workbook could not take, and what was too much to compute or to say, a sentence each.
[[nodiscard]] std::vector<std::string> limits_reached(const TablesResult& result);
/// A limit left something out that is missing now; a text cut in the workbook is whole in the CSV.
[[nodiscard]] bool lacks_values(const TablesResult& result);

[[nodiscard]] Json tables_json(const TablesResult& result);
/// What each sheet and column means.
[[nodiscard]] Json described_sheets_json();
}  // namespace kinetoscope::report
