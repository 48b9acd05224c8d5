#include "server/cli/roofline.hpp"

#include <array>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "core/base/error.hpp"
#include "core/report/json.hpp"
#include "core/report/roofline_figures.hpp"
#include "core/report/roofline_text.hpp"
#include "core/report/text_files.hpp"
#include "core/study/redaction.hpp"
#include "server/cli/load.hpp"
#include "server/cli/output.hpp"

namespace kinetoscope::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::array roofline_files = {"roofline.json", "roofline.svg", "waterfall.svg"};

/// Nothing is written over the trace that is read.
void refuse_own_trace(const RooflineOptions& options) {
  if (!options.folder || options.trace == "-") return;
  for (const char* const name : roofline_files) {
    const std::string file = (fs::path(*options.folder) / name).string();
    std::error_code failure;
    if (!fs::equivalent(file, options.trace, failure)) continue;
    throw Error({.code = ErrorCode::usage,
                 .argument = "-o",
                 .received = file,
                 .problem = "it is the trace itself",
                 .next = "name another folder"});
  }
}

std::string answer(const Study& study, const RooflineOptions& options, const analysis::TableOptions& wanted,
                   const Session& session) {
  study.require(analysis::Question::roofline);
  const analysis::RooflineReport& made = study.roofline(wanted, session.stop);
  report::RooflineResult result = {.file = study.name(),
                                   .partial = study.trace().partial(),
                                   .report = &made,
                                   .most_groups = options.most_groups,
                                   .diagnostics = study.diagnostics()};
  result.diagnostics.merge(made.diagnostics);
  const Redaction redaction(study, session.options.is_redacted, named_files(options.analysis));
  const std::string json = redaction.json(report::roofline_json(result));
  if (options.folder) {
    const std::vector<report::TextFile> files = {
        {roofline_files[0], json},
        {roofline_files[1], redaction.text(report::roofline_svg(result))},
        {roofline_files[2], redaction.text(report::waterfall_svg(result))},
    };
    report::write_text_files(*options.folder, files, session.stop);
  }
  return options.is_json ? json : redaction.text(report::roofline_text(result, wants_colour()));
}
}  // namespace

int run_roofline(const RooflineOptions& options, const Session& session) {
  const analysis::TableOptions wanted = with_data_files(options.analysis, session.stop);
  refuse_own_trace(options);
  write_output(
      ask_trace(options.trace, session, [&](const Study& study) { return answer(study, options, wanted, session); }));
  return 0;
}

void add_roofline(CLI::App& app, CommandLine& line) {
  CLI::App* const command =
      app.add_subcommand("roofline", "How much of the peak was used, where the rest went, what could be recovered");
  const auto options = std::make_shared<RooflineOptions>();
  command->add_option("TRACE", options->trace, "The trace; - is standard input")->required()->type_name("");
  command->add_option("-o,--output", options->folder, "Folder for roofline.json, roofline.svg and waterfall.svg")
      ->type_name("DIR");
  command->add_flag("--json", options->is_json,
                    "JSON by schemas/artifacts/roofline.schema.json on standard output instead of text");
  command->add_option("--top", options->most_groups, "How many groups of like calls are listed")
      ->check(CLI::Range(1U, 1'000'000U))
      ->capture_default_str()
      ->type_name("N");
  add_population_options(*command, options->analysis);
  add_model_options(*command, options->analysis);
  command->footer(
      "Recoverable is the time of an operator's calls beyond their rooflines, no instant counted twice. MFU is held "
      "against\ndense data-sheet peaks; rooflines against measured ceilings where there are any.");
  command->callback([&line, options] {
    settle_scope(options->analysis);
    line.inputs = named_files(options->analysis);
    line.inputs.push_back(options->trace);
    if (options->folder) line.inputs.push_back(*options->folder);
    line.command = [options = *options](const Session& session) { return run_roofline(options, session); };
  });
}
}  // namespace kinetoscope::cli
