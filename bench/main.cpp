// The benchmark program: runs stages on trace files and prints their table. `./dev bench` makes the files and runs it.

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "core/base/error.hpp"
#include "bench/bench.hpp"
#include "bench/stages.hpp"

namespace kinetoscope::bench {
namespace {

struct Options {
  std::vector<std::string> stages{};
  std::vector<std::string> inputs{};
  std::string references_file{};
  std::string json_file{};
  bool once = false;
  bool prepare_only = false;
  bool list = false;
};

/// Those that were named, or all.
std::vector<Stage> chosen(std::span<const Stage> all, const std::vector<std::string>& names) {
  if (names.empty()) return {all.begin(), all.end()};
  std::vector<Stage> stages;
  for (const std::string& name : names) {
    const auto found = std::ranges::find(all, std::string_view(name), &Stage::name);
    if (found == all.end()) {
      throw Error({.code = ErrorCode::usage,
                   .argument = "--stage",
                   .received = name,
                   .problem = "there is no such stage",
                   .next = "kinetoscope-bench --list"});
    }
    stages.push_back(*found);
  }
  return stages;
}

nlohmann::json references_of(const std::string& path) {
  if (path.empty()) return nlohmann::json::object();
  return nlohmann::json::parse(content_of(path));
}

void write_file(const std::string& path, const std::string& content) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "wb"), &std::fclose);
  if (!file || std::fwrite(content.data(), 1, content.size(), file.get()) != content.size()) {
    throw Error({.code = ErrorCode::output_not_writable, .input = path});
  }
}

void run(const Options& options, std::span<const Stage> all) {
  const std::vector<Stage> stages = chosen(all, options.stages);
  if (options.list) {
    for (const Stage& stage : stages) fmt::print("{}\n", stage.name);
    return;
  }
  if (options.once || options.prepare_only) {
    for (const Stage& stage : stages) run_here(stage, options.inputs.at(0), options.once ? 1 : 0);
    return;
  }
  std::vector<Row> rows = measure(stages, options.inputs);
  set_floor_and_reference(rows, references_of(options.references_file));
  fmt::print("{}", table_of(rows));
  if (!options.json_file.empty()) write_file(options.json_file, json_of(rows).dump(1) + "\n");
}
}  // namespace
}  // namespace kinetoscope::bench

int main(int argc, char** argv) {
  namespace bench = kinetoscope::bench;
  // In the order in which they are run and shown; the floor is first, for the others are measured beside it.
  const std::array stages = {bench::floor_stage(), bench::read_stage(),   bench::trace_stage(), bench::tree_stage(),
                             bench::load_stage(),  bench::sheets_stage(), bench::tables_stage()};
  CLI::App app("Measures stages of kinetoscope on trace files");
  bench::Options options;
  app.add_option("--stage", options.stages, "Only this stage; may be given several times");
  app.add_option("--input", options.inputs, "A gzip-compressed trace; may be given several times");
  app.add_option("--references", options.references_file, "JSON: file name to the reference's seconds");
  app.add_option("--json", options.json_file, "Where the rows go as JSON");
  app.add_flag("--once", options.once, "One run in this process, unmeasured: for a profiler around it");
  app.add_flag("--prepare-only", options.prepare_only, "What comes before that run, by itself");
  app.add_flag("--list", options.list, "Names the stages");
  CLI11_PARSE(app, argc, argv);
  try {
    bench::run(options, stages);
  } catch (const std::exception& problem) {
    fmt::print(stderr, "kinetoscope-bench: {}\n", problem.what());
    return 1;
  }
  return 0;
}
