#pragma once

// Sheets as files: a folder with one CSV a sheet, a workbook, or both, all of them at once or none. A folder of an
// earlier run becomes this run's: sheets that this run does not make are removed. Whose a file is, is seen by what it
// is: a CSV with the name of a sheet of ours whose first line has that sheet's headings and no other. All else stays,
// but for half-written files of runs that were killed (io/passing_files.hpp), which are removed at once.
//
// Cost: one pass over the cells, with room for one row; the files stand beside their final names until all are whole.

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/report/sheet.hpp"

namespace kinetoscope::report {

/// How a file of an earlier run is known.
struct KnownSheet {
  std::string name;
  std::vector<std::string> headings;  ///< all that it can have, the one that it begins with first
  std::string heading_prefix{};       ///< headings that begin so are its own, too; empty: there are none
};

struct TableDestinations {
  std::optional<std::string> folder;    ///< made with its parents when it is not there
  std::optional<std::string> workbook;  ///< its folder must be there
};

/// What became of one sheet, in the order of the sheets.
struct SheetReport {
  std::string name;
  std::uint64_t rows = 0;
  std::string left_out_because{};            ///< empty: it was written
  std::string empty_because{};               ///< why a sheet that was written has no rows
  std::uint64_t workbook_rows_left_out = 0;  ///< beyond what a worksheet holds
  std::uint64_t workbook_texts_cut = 0;      ///< longer than a cell of a workbook holds
  friend bool operator==(const SheetReport&, const SheetReport&) = default;
};

/// Without any destination it only reports. Throws Error output_not_writable, naming the path, or interrupted; then
/// everything is as before, unless the error says which files are new.
[[nodiscard]] std::vector<SheetReport> write_tables(std::span<const Sheet> sheets,
                                                    const TableDestinations& destinations,
                                                    std::span<const KnownSheet> known,
                                                    const std::stop_token& stop = {});
}  // namespace kinetoscope::report
