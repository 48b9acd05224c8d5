#pragma once

// The command `roofline`: how much of what the platform can do was used, where the rest went, and which operators could
// win back most.

#include <cstddef>
#include <optional>
#include <string>

#include "core/report/roofline_json.hpp"
#include "server/cli/analysis_options.hpp"
#include "server/cli/command_line.hpp"

// NOLINTNEXTLINE(readability-identifier-naming): the name is that of the library
namespace CLI {
class App;
}

namespace kinetoscope::cli {

struct RooflineOptions {
  std::string trace;
  std::optional<std::string> folder;  ///< for roofline.json and the figures
  bool is_json = false;
  std::size_t most_groups = report::most_groups_by_default;
  AnalysisOptions analysis;
};

/// Adds the command to the program. `line` must outlive the parsing.
void add_roofline(CLI::App& app, CommandLine& line);

/// Writes the files, then the result to standard output. Throws Error, cannot_answer where the trace has no operators.
int run_roofline(const RooflineOptions& options, const Session& session);
}  // namespace kinetoscope::cli
