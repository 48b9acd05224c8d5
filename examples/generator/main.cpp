// make-trace: writes a generated trace to a file or to standard output.
//
//   make-trace training --flavour hip --layers 2 -o training.json
//   make-trace story moved-lanes
//   make-trace defect F01 --variant 2
//   make-trace kept -o examples/traces
//   make-trace --list
#include <cstdio>
#include <exception>
#include <map>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "core/base/error.hpp"
#include "examples/generator/catalogue.hpp"
#include "examples/generator/compression.hpp"
#include "examples/generator/defect_case.hpp"
#include "examples/generator/feature_names.hpp"

namespace kinetoscope::examples {
namespace {

struct Arguments {
  TraceOptions options{};
  std::vector<std::string> features{};
  std::string output = "-";
  std::string story{};
  std::string defect{};
  std::size_t variant = 1;
  bool prints_expected = false;
};

void write(const std::string& path, const std::string& bytes) {
  const bool is_standard = path == "-";
  std::FILE* file = is_standard ? stdout : std::fopen(path.c_str(), "wb");
  if (file == nullptr)
    throw Error({.code = ErrorCode::output_not_writable, .input = path, .problem = "it cannot be opened"});
  const bool is_written = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  const bool is_closed = is_standard ? std::fflush(file) == 0 : std::fclose(file) == 0;
  if (!is_written || !is_closed)
    throw Error({.code = ErrorCode::output_not_writable, .input = path, .problem = "not all was written"});
}

/// As gzip when the name says so.
void write_trace(const std::string& path, const std::string& text) {
  write(path, path.ends_with(".gz") ? gzip(text) : text);
}

std::string list() {
  std::string out = "Scenarios, with options:\n";
  for (const Scenario& scenario : scenarios()) out += fmt::format("  {:<26}{}\n", scenario.name, scenario.about);
  out += "Stories: make-trace story NAME\n";
  for (const Story& story : stories()) out += fmt::format("  {:<26}{}\n", story.name, story.about);
  out += "Features: --feature NAME\n";
  for (const NamedFeature& feature : named_features()) out += fmt::format("  {}\n", feature.name);
  out += "Defects: make-trace defect ID --variant N\n";
  std::map<std::string, int> variants;
  for (const DefectCase& defect : defect_cases())
    out += fmt::format("  {} {}: {}\n", defect.id, ++variants[defect.id], defect.variant);
  return out;
}

DefectCase find_defect(const std::string& id, std::size_t variant) {
  std::size_t seen = 0;
  for (DefectCase& defect : defect_cases()) {
    if (defect.id == id && ++seen == variant) return std::move(defect);
  }
  throw Error({.code = ErrorCode::usage,
               .argument = "defect",
               .received = fmt::format("{} {}", id, variant),
               .problem = "there is no such variant",
               .next = "see: make-trace --list"});
}

/// Of a pair of files, the second goes beside the first with ".second" behind its name.
void write_defect(const Arguments& arguments) {
  const DefectCase defect = find_defect(arguments.defect, arguments.variant);
  if (arguments.prints_expected) return write(arguments.output, defect.expected.dump(2) + "\n");
  write(arguments.output, defect.bytes);
  if (!defect.second_bytes.empty() && arguments.output != "-") write(arguments.output + ".second", defect.second_bytes);
}

void write_story(const Arguments& arguments) {
  for (const Story& story : stories()) {
    if (story.name == arguments.story) return write_trace(arguments.output, story.make().text);
  }
  throw Error({.code = ErrorCode::usage,
               .argument = "story",
               .received = arguments.story,
               .problem = "there is no such story",
               .next = "see: make-trace --list"});
}

void turn_on_features(Arguments& arguments) {
  for (const std::string& name : arguments.features) {
    bool is_known = false;
    for (const NamedFeature& feature : named_features()) {
      if (feature.name != name) continue;
      feature.turn_on(arguments.options.features);
      is_known = true;
    }
    if (is_known) continue;
    throw Error({.code = ErrorCode::usage,
                 .argument = "--feature",
                 .received = name,
                 .problem = "there is no such feature",
                 .next = "see: make-trace --list"});
  }
}

void add_options(CLI::App& command, Arguments& arguments) {
  TraceOptions& options = arguments.options;
  const std::map<std::string, Flavour> flavours = {{"cuda", Flavour::cuda}, {"hip", Flavour::hip}};
  const std::map<std::string, Framework> frameworks = {{"vllm", Framework::vllm}, {"sglang", Framework::sglang}};
  const std::map<std::string, Layout> layouts = {{"compact", Layout::compact}, {"kineto", Layout::kineto}};
  command.add_option("--flavour", options.flavour, "cuda or hip")->transform(CLI::CheckedTransformer(flavours));
  command.add_option("--framework", options.framework, "vllm or sglang")
      ->transform(CLI::CheckedTransformer(frameworks));
  command.add_option("--layout", options.layout, "compact or kineto")->transform(CLI::CheckedTransformer(layouts));
  command.add_option("--layers", options.layers)->check(CLI::Range(1, 1000));
  command.add_option("--steps", options.steps)->check(CLI::Range(1, 100000));
  command.add_option("--ranks", options.ranks, "more than one: a merged file")->check(CLI::Range(1, 1024));
  command.add_flag("--stacks", options.stacks, "Python frames");
  command.add_flag("--modules", options.modules, "nn.Module frames");
  command.add_flag("--collectives", options.collectives);
  command.add_flag("--memory", options.memory_events, "allocations");
  command.add_flag("--text-pids", options.sglang_process_names, "merged: process names of SGLang's merger");
  command.add_flag("!--no-shapes", options.shapes);
  command.add_flag("!--header-last", options.header_first, "metadata behind the events");
  command.add_option("--feature", arguments.features, "what newer exporters write; see --list");
}

int run(int argc, char** argv) {
  CLI::App app("Makes small, plausible traces.", "make-trace");
  Arguments arguments;
  const auto add_command = [&](std::string_view name, std::string_view about) {
    CLI::App* command = app.add_subcommand(std::string(name), std::string(about));
    command->add_option("-o,--output", arguments.output, "file, or - for standard output");
    return command;
  };
  bool lists = false;
  app.add_flag("--list", lists, "what there is");
  for (const Scenario& scenario : scenarios()) {
    CLI::App* command = add_command(scenario.name, scenario.about);
    add_options(*command, arguments);
    command->callback([&arguments, &scenario] {
      turn_on_features(arguments);
      write_trace(arguments.output, scenario.make(arguments.options).text);
    });
  }
  CLI::App* story = add_command("story", "a trace that tells one thing about fitness");
  story->add_option("name", arguments.story)->required();
  story->callback([&arguments] { write_story(arguments); });
  CLI::App* kept = add_command("kept", "the traces kept in the repository; -o names their folder");
  kept->callback([&arguments] {
    for (const KeptTrace& trace : kept_traces())
      write_trace(fmt::format("{}/{}", arguments.output, trace.file), trace.make().text);
  });
  CLI::App* defect = add_command("defect", "a damaged or unusual input");
  defect->add_option("id", arguments.defect)->required();
  defect->add_option("--variant", arguments.variant, "from 1");
  defect->add_flag("--expected", arguments.prints_expected, "its right outcome instead");
  defect->callback([&arguments] { write_defect(arguments); });
  CLI11_PARSE(app, argc, argv);
  if (lists) write("-", list());
  return 0;
}
}  // namespace
}  // namespace kinetoscope::examples

int main(int argc, char** argv) {
  try {
    return kinetoscope::examples::run(argc, argv);
  } catch (const kinetoscope::Error& error) {
    std::fputs(fmt::format("make-trace: {}\n", error.what()).c_str(), stderr);
    return kinetoscope::kind_of(error.code()).exit_status;
  } catch (const std::exception& error) {
    std::fputs(fmt::format("make-trace: {}\n", error.what()).c_str(), stderr);
    return 70;
  }
}
