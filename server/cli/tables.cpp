#include "server/cli/tables.hpp"

#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/report/json.hpp"
#include "core/report/redacted_sheet.hpp"
#include "core/report/table_files.hpp"
#include "core/report/table_sheets.hpp"
#include "core/report/tables_json.hpp"
#include "core/report/tables_text.hpp"
#include "core/study/redaction.hpp"
#include "server/cli/load.hpp"
#include "server/cli/output.hpp"

namespace kinetoscope::cli {
namespace {

/// What is said when the files are there.
struct Said {
  std::string text{};
  std::vector<std::string> limits{};
  bool lacks_values = false;
};

namespace fs = std::filesystem;

std::vector<std::string> written_paths(const TablesOptions& options) {
  std::vector<std::string> paths = named_files(options.analysis);
  for (const auto& path : {options.folder, options.workbook}) {
    if (path) paths.push_back(*path);
  }
  return paths;
}

bool are_one_file(const std::string& one, const std::string& other) {
  std::error_code failure;
  if (fs::equivalent(one, other, failure)) return true;
  return fs::weakly_canonical(one, failure) == fs::weakly_canonical(other, failure) && !failure;
}

[[noreturn]] void refuse_path(std::string argument, const std::string& path, std::string problem) {
  throw Error({.code = ErrorCode::usage,
               .argument = std::move(argument),
               .received = path,
               .problem = std::move(problem),
               .next = "name another file"});
}

/// Nothing is written over the trace that is read, nor the workbook over a sheet.
void refuse_clashes(const TablesOptions& options) {
  if (options.workbook && are_one_file(*options.workbook, options.trace)) {
    refuse_path("--xlsx", *options.workbook, "it is the trace itself");
  }
  if (!options.folder) return;
  for (const report::KnownSheet& sheet : report::known_sheets()) {
    const std::string file = (fs::path(*options.folder) / (sheet.name + ".csv")).string();
    if (are_one_file(file, options.trace)) refuse_path("-o", file, "it is the trace itself");
    if (options.workbook && are_one_file(file, *options.workbook)) {
      refuse_path("--xlsx", *options.workbook, "a sheet is written there");
    }
  }
}

Said write(const Study& study, const TablesOptions& options, const analysis::TableOptions& wanted,
           const Session& session) {
  const analysis::Tables& tables = study.tables(wanted, session.stop);
  std::vector<report::Sheet> sheets = report::sheets_of(tables);
  const Redaction redaction(study, session.options.is_redacted, written_paths(options));
  if (const report::Redactor* const redactor = redaction.redactor()) {
    for (report::Sheet& sheet : sheets) sheet = redacted(std::move(sheet), *redactor);
  }
  report::TablesResult result = {.file = study.name(),
                                 .partial = study.trace().partial(),
                                 .tables = &tables,
                                 .destinations = {options.folder, options.workbook},
                                 .diagnostics = study.diagnostics()};
  result.diagnostics.merge(tables.diagnostics);
  result.sheets = report::write_tables(sheets, result.destinations, report::known_sheets(), session.stop);
  Said said = {.limits = report::limits_reached(result), .lacks_values = report::lacks_values(result)};
  said.text = options.is_json ? redaction.json(report::tables_json(result))
                              : redaction.text(report::tables_text(result, wants_colour()));
  return said;
}
}  // namespace

int run_tables(const TablesOptions& options, const Session& session) {
  if (options.is_described) {
    write_output(options.is_json ? report::json_text(report::described_sheets_json())
                                 : report::described_sheets_text(wants_colour()));
    return 0;
  }
  const analysis::TableOptions tables = with_data_files(options.analysis, session.stop);
  refuse_clashes(options);
  const Said said =
      ask_trace(options.trace, session, [&](const Study& study) { return write(study, options, tables, session); });
  write_output(said.text);
  for (const std::string& limit : said.limits) write_error_line("kinetoscope: " + limit + " [limit_reached]");
  return said.lacks_values ? kind_of(ErrorCode::limit_reached).exit_status : 0;
}
}  // namespace kinetoscope::cli
