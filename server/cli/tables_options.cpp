#include "server/cli/tables_options.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>

#include "core/base/error.hpp"
#include "core/trace/decimal_time.hpp"
#include "server/cli/tables.hpp"

namespace kinetoscope::cli {
namespace {

constexpr std::uint32_t most_bins = 100'000;
constexpr std::uint64_t most_rows = 0xffff'ffff;

/// As typed: what is checked only when all of it is known.
struct Typed {
  TablesOptions options;
  std::optional<std::string> short_kernel_us;
  std::optional<std::string> micro_idle_us;
  bool has_no_collectives = false;
};

[[noreturn]] void refuse(std::string argument, std::string received, std::string problem, std::string next) {
  throw Error({.code = ErrorCode::usage,
               .argument = std::move(argument),
               .received = std::move(received),
               .problem = std::move(problem),
               .next = std::move(next)});
}

/// Exact: "0.5" is 500 ns.
std::int64_t nanoseconds_of(const char* argument, const std::string& microseconds) {
  const DecimalTime time = parse_microseconds(microseconds);
  if (time.status == DecimalTime::Status::exact && time.ns > 0) return time.ns;
  refuse(argument, microseconds, "it is no time that can be compared with",
         "give microseconds above 0 with up to three decimals, such as 10 or 0.5");
}

TablesOptions checked(Typed typed) {
  TablesOptions& options = typed.options;
  if (options.is_described) return options;
  if (options.trace.empty()) refuse("TRACE", "", "no trace is named", "name one, or - for standard input");
  if (!options.folder && !options.workbook && !options.is_json) {
    refuse("tables", "", "nothing says where the tables go", "add -o DIR, --xlsx FILE or --json");
  }
  settle_scope(options.analysis);
  options.analysis.tables.has_collectives = !typed.has_no_collectives;
  if (typed.short_kernel_us) {
    options.analysis.tables.short_kernel_ns = nanoseconds_of("--short-kernel-us", *typed.short_kernel_us);
  }
  if (typed.micro_idle_us)
    options.analysis.tables.micro_idle_ns = nanoseconds_of("--micro-idle-us", *typed.micro_idle_us);
  return options;
}

void add_outputs(CLI::App& command, Typed& typed) {
  command.add_option("TRACE", typed.options.trace, "The trace; - is standard input")->type_name("");
  command.add_option("-o,--output", typed.options.folder, "Folder for one CSV file a sheet; made when it is not there")
      ->type_name("DIR");
  command.add_option("--xlsx", typed.options.workbook, "Workbook with one worksheet a sheet")->type_name("FILE");
  command.add_flag("--json", typed.options.is_json,
                   "JSON by schemas/artifacts/tables.schema.json on standard output instead of text");
  command.add_flag("--describe", typed.options.is_described,
                   "Say what each sheet and column means instead; needs no trace");
}

/// What --redact hides in failures: every file that is named.
void add_inputs(CommandLine& line, const TablesOptions& options) {
  line.inputs = named_files(options.analysis);
  if (!options.trace.empty()) line.inputs.push_back(options.trace);
  for (const auto& named : {options.folder, options.workbook}) {
    if (named) line.inputs.push_back(*named);
  }
}

void add_columns(CLI::App& command, Typed& typed) {
  analysis::TableOptions& tables = typed.options.analysis.tables;
  command.add_flag("--detect-recompute", tables.detects_recompute,
                   "Recomputed forward work stands in rows of its own; needs Python frames in the trace");
  command.add_flag("--group-by-parent-module", tables.groups_by_parent_module,
                   "Operators called by different modules stand in rows of their own");
  command.add_flag("--group-by-num-kernels", tables.groups_by_kernel_count,
                   "Calls of an operator with different numbers of kernels stand in rows of their own");
  command.add_flag("--call-stack", tables.has_call_stack, "Where operators were called from");
  command.add_flag("--first-occurrence", tables.has_first_occurrence, "When operators ran first");
}

void add_sheets(CLI::App& command, Typed& typed) {
  analysis::TableOptions& tables = typed.options.analysis.tables;
  command.add_flag("--overlap", tables.has_overlap, "Sheet of what ran at the same time on other streams");
  command.add_flag("--kernel-summary", tables.has_kernel_summary, "Sheet of kernels by operator and stream");
  CLI::Option* const short_kernels =
      command.add_flag("--short-kernels", tables.has_short_kernels, "Sheets of short kernels");
  command.add_option("--short-kernel-us", typed.short_kernel_us, "A kernel is short below this; 10 by default")
      ->type_name("N")
      ->needs(short_kernels);
  command.add_option("--short-kernel-bins", tables.short_kernel_bins, "Bins of the histogram")
      ->check(CLI::Range(1U, most_bins))
      ->capture_default_str()
      ->type_name("N")
      ->needs(short_kernels);
  command.add_option("--top-short-kernels", tables.top_short_kernels, "Only the first rows of the summary")
      ->check(CLI::Range(std::uint64_t{1}, most_rows))
      ->type_name("K")
      ->needs(short_kernels);
  command.add_flag("--no-collectives", typed.has_no_collectives, "No sheet of communication");
  command
      .add_option("--micro-idle-us", typed.micro_idle_us, "Idle gaps below this are micro_idle_time, the others macro")
      ->type_name("N");
}
}  // namespace

void add_tables(CLI::App& app, CommandLine& line) {
  CLI::App* const command = app.add_subcommand("tables", "Where the GPU's time went: CSV files, a workbook, JSON");
  const auto typed = std::make_shared<Typed>();
  add_outputs(*command, *typed);
  add_population_options(*command, typed->options.analysis);
  add_sheets(*command, *typed);
  add_columns(*command, *typed);
  add_model_options(*command, typed->options.analysis);
  command->footer(
      "Sheets and columns bear the names that TraceLens users know; kinetoscope tables --describe says what they "
      "mean.\n"
      "A folder of an earlier run becomes this run's; files that are no sheets of it stay.\n"
      "What is beyond a stated limit (rows of a worksheet, overlaps, call stacks) is left out, told on standard error "
      "as\n"
      "[limit_reached] and in the result, and the exit status is 4; all else is written.");
  command->callback([&line, typed] {
    const TablesOptions options = checked(*typed);
    add_inputs(line, options);
    line.command = [options](const Session& session) { return run_tables(options, session); };
  });
}
}  // namespace kinetoscope::cli
