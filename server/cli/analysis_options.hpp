#pragma once

// What commands that analyse one trace have in common on the command line: which part of it, and what models know.

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/analysis/table_options.hpp"

// NOLINTNEXTLINE(readability-identifier-naming): the name is that of the library
namespace CLI {
class App;
}

namespace kinetoscope::cli {

/// As typed.
struct AnalysisOptions {
  std::string scope = "all";
  std::optional<std::string> platform;        ///< a name, a file, or none
  std::optional<std::string> operators;       ///< a file of the user's
  std::optional<std::string> inductor_cache;  ///< a folder of generated sources
  analysis::TableOptions tables;              ///< without the scope and what is read from files
};

/// --scope, --include-unlinked, --pseudo-ops. `options` must outlive the parsing, here and below.
void add_population_options(CLI::App& command, AnalysisOptions& options);
/// --platform, --operators, --inductor-cache.
void add_model_options(CLI::App& command, AnalysisOptions& options);

/// Puts the scope where analyses look for it. Throws Error scope_invalid.
void settle_scope(AnalysisOptions& options);
/// What --redact hides in failures.
[[nodiscard]] std::vector<std::string> named_files(const AnalysisOptions& options);
/// With what is read from the files that are named: a mistake in them is told before a long trace is read. Throws
/// Error, interrupted soon after `stop` was asked for.
[[nodiscard]] analysis::TableOptions with_data_files(const AnalysisOptions& options, const std::stop_token& stop = {});
}  // namespace kinetoscope::cli
