#include "server/cli/command_line.hpp"

#include <algorithm>
#include <memory>

#include <CLI/CLI.hpp>

#include "embedded/version.hpp"
#include "core/base/error.hpp"
#include "server/cli/info.hpp"
#include "server/cli/mcp.hpp"
#include "server/cli/platforms.hpp"
#include "server/cli/roofline.hpp"
#include "server/cli/tables_options.hpp"
#include "server/cli/tool_commands.hpp"

namespace kinetoscope::cli {
namespace {

constexpr unsigned most_threads = 1024;

constexpr const char* about =
    "Tells why a GPU workload is slow, from the traces that PyTorch's profiler writes.\n\n"
    "A trace is Chrome JSON as Kineto exports it, plain or in gzip, zip or zstd, told apart by content; - is standard\n"
    "input. Damaged traces are used as far as they can be read, and what was wrong with them is said.";
constexpr const char* footer =
    "Exit status: 0 done, 1 a check said no, 2 usage or output, 3 an input cannot be read or is no trace,\n"
    "4 a stated limit was reached, 130 interrupted. Of several traces, the first failure's.\n\n"
    "Examples:\n"
    "  kinetoscope info trace.json.gz               what the trace holds, and which questions it can answer\n"
    "  kinetoscope info rank0.json rank1.json       the same for each, and whether their clocks agree\n"
    "  zcat trace.json.gz | kinetoscope info --json -\n"
    "  kinetoscope tables trace.json.gz -o tables   where the GPU's time went, one CSV file a sheet\n"
    "  kinetoscope roofline trace.json.gz           how much of the peak was used, and what could be recovered\n"
    "  kinetoscope platforms                        what GPUs can do at most, and who says so\n"
    "  kinetoscope mcp                              the server that Claude Code, Cursor and others start";

void add_global_options(CLI::App& app, GlobalOptions& options) {
  app.add_option("--threads", options.threads, "Threads to use; 1 reads and decompresses in the same thread")
      ->check(CLI::Range(1U, most_threads))
      ->capture_default_str()
      ->type_name("N");
  app.add_flag("--strict", options.is_strict, "Refuse an input that had to be repaired or is cut (exit status 3)");
  app.add_flag("--progress", options.shows_progress, "Show how far loading is on standard error, terminal or not");
  app.add_flag("--redact", options.is_redacted,
               "Replace host and job names and paths by a hash, the same one in every run");
}

void require_one_standard_input(const std::vector<std::string>& traces) {
  if (std::ranges::count(traces, "-") < 2) return;
  throw Error({.code = ErrorCode::usage,
               .argument = "TRACE",
               .received = "-",
               .problem = "standard input can be read only once",
               .next = "name it once, and the other traces as files"});
}

void add_info(CLI::App& app, CommandLine& line) {
  CLI::App* const command =
      app.add_subcommand("info", "What each trace holds, what it can answer, what is wrong with it");
  const auto options = std::make_shared<InfoOptions>();
  command->add_option("TRACE", options->traces, "Traces; - is standard input, named at most once")
      ->required()
      ->type_name("");
  command->add_flag(
      "--json", options->is_json,
      "JSON by schemas/artifacts/info.schema.json instead of text; an array when several traces are named");
  command->footer(
      "Of several traces, those that cannot be read are told on standard error and left out; the others are reported.\n"
      "The exit status is then that of the first one that could not be read.");
  command->callback([&line, options] {
    require_one_standard_input(options->traces);
    line.inputs = options->traces;
    line.command = [options](const Session& session) { return run_info(*options, session); };
  });
}

void add_platforms(CLI::App& app, CommandLine& line) {
  CLI::App* const command =
      app.add_subcommand("platforms", "The known GPUs, what they can do at most, and who says so");
  const auto options = std::make_shared<PlatformsOptions>();
  command->add_flag("--json", options->is_json,
                    "JSON by schemas/artifacts/platforms.schema.json instead of text: every figure with its source");
  command->callback([&line, options] { line.command = [options](const Session&) { return run_platforms(*options); }; });
}
}  // namespace

CommandLine parse_command_line(int argc, const char* const* argv) {
  CommandLine line;
  CLI::App app(about, "kinetoscope");
  app.footer(footer);
  app.fallthrough();
  app.require_subcommand(1);
  app.set_version_flag("--version", "kinetoscope " + std::string(embedded::version));
  add_global_options(app, line.options);
  add_info(app, line);
  add_tables(app, line);
  add_roofline(app, line);
  add_platforms(app, line);
  add_call(app, line);
  add_tools(app, line);
  add_mcp(app, line);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    line.text = app.help();
  } catch (const CLI::CallForAllHelp&) {
    line.text = app.help("", CLI::AppFormatMode::All);
  } catch (const CLI::CallForVersion& version) {
    line.text = std::string(version.what()) + "\n";
  } catch (const CLI::ParseError& error) {
    throw Error({.code = ErrorCode::usage, .problem = error.what(), .next = "see: kinetoscope --help"});
  }
  return line;
}
}  // namespace kinetoscope::cli
