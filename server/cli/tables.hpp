#pragma once

// The command `tables`: where the GPU's time went by operator, kernel and message, as CSV files, a workbook or JSON.

#include <optional>
#include <string>

#include "server/cli/analysis_options.hpp"
#include "server/cli/command_line.hpp"

namespace kinetoscope::cli {

struct TablesOptions {
  std::string trace;
  std::optional<std::string> folder;    ///< one CSV a sheet
  std::optional<std::string> workbook;  ///< one worksheet a sheet
  bool is_json = false;
  bool is_described = false;  ///< what the columns mean, without a trace
  AnalysisOptions analysis;
};

/// Reads what the options name, before the trace. Writes the files, then what is in them to standard output. Exit
/// status 4 when a worksheet could not take all rows; all else is written then. Throws Error.
int run_tables(const TablesOptions& options, const Session& session);
}  // namespace kinetoscope::cli
