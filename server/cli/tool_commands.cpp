#include "server/cli/tool_commands.hpp"

#include <array>
#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "core/base/error.hpp"
#include "core/io/file_source.hpp"
#include "core/io/read_progress.hpp"
#include "core/report/json.hpp"
#include "core/study/trace_store.hpp"
#include "tools/dispatch.hpp"
#include "tools/file_access.hpp"
#include "tools/registry.hpp"
#include "server/cli/output.hpp"
#include "server/cli/progress.hpp"

namespace kinetoscope::cli {
namespace {

constexpr std::size_t most_argument_bytes = std::size_t{16} << 20;

/// A file's content, or standard input's ("-").
std::string content_of(const std::string& name, const std::stop_token& stop) {
  io::FileSource file(name, std::make_shared<io::ReadProgress>(), stop);
  std::string content;
  std::array<char, 65536> bytes{};
  while (const std::size_t count = file.read(bytes)) {
    content.append(bytes.data(), count);
    if (content.size() > most_argument_bytes) {
      throw Error({.code = ErrorCode::limit_reached, .input = name, .problem = "arguments of more than 16 MiB"});
    }
  }
  return content;
}

tools::Json read_arguments(const std::string& typed, const std::stop_token& stop) {
  const bool is_file = typed == "-" || typed.starts_with('@');
  const std::string text = is_file ? content_of(typed == "-" ? typed : typed.substr(1), stop) : typed;
  tools::Json arguments = tools::Json::parse(text, nullptr, false);
  if (arguments.is_object()) return arguments;
  throw Error({.code = ErrorCode::usage,
               .argument = "ARGUMENTS",
               .received = text,
               .problem = "they are no JSON object",
               .accepted = R"(for example '{"trace_id": "trace.json.gz"}', @FILE, or - for standard input)"});
}

int run_call(const std::string& name, const std::string& typed, const Session& session) {
  const tools::Tool& tool = tools::tool_of(name);
  const tools::Json arguments = read_arguments(typed, session.stop);
  TraceStore traces(std::numeric_limits<std::size_t>::max());
  const tools::FileAccess files = tools::FileAccess::unrestricted();
  const tools::ToolContext context = {.traces = traces,
                                      .files = files,
                                      .threads = session.options.threads,
                                      .is_redacted = session.options.is_redacted,
                                      .takes_paths = true,
                                      .stop = session.stop};
  write_output(report::json_text(tools::answer_of(tool, arguments, context).structured));
  return 0;
}

std::string tools_text() {
  std::string text;
  for (const tools::Tool& tool : tools::all_tools()) {
    text += fmt::format("{:<16}{}\n", tool.name, tool.description.substr(0, tool.description.find(". ") + 1));
  }
  return text + "\nArguments and result of one: kinetoscope tools TOOL\n";
}

tools::Json tool_json(const tools::Tool& tool) {
  return {{"name", tool.name},
          {"title", tool.title},
          {"description", tool.description},
          {"input_schema", tool.input_schema},
          {"output_schema", tool.output_schema}};
}

int run_tools(const std::string& name, bool is_json) {
  if (!name.empty()) {
    write_output(report::json_text(tool_json(tools::tool_of(name))));
    return 0;
  }
  tools::Json all = tools::Json::array();
  for (const tools::Tool& tool : tools::all_tools()) all.push_back(tool_json(tool));
  write_output(is_json ? report::json_text(all) : tools_text());
  return 0;
}
}  // namespace

void add_call(CLI::App& app, CommandLine& line) {
  CLI::App* const command = app.add_subcommand("call", "Runs a tool of the server and prints its result as JSON");
  const auto name = std::make_shared<std::string>();
  const auto arguments = std::make_shared<std::string>("{}");
  command->add_option("TOOL", *name, "A tool that kinetoscope tools lists")->required()->type_name("");
  command->add_option("ARGUMENTS", *arguments, "A JSON object, @FILE, or - for standard input")->type_name("");
  command->footer("Where a tool asks for a trace_id, the path of a trace does as well: it is loaded first.");
  command->callback([&line, name, arguments] {
    line.command = [name, arguments](const Session& session) { return run_call(*name, *arguments, session); };
  });
}

void add_tools(CLI::App& app, CommandLine& line) {
  CLI::App* const command = app.add_subcommand("tools", "The tools of the server, and their schemas");
  const auto name = std::make_shared<std::string>();
  const auto is_json = std::make_shared<bool>(false);
  command->add_option("TOOL", *name, "Only this one, with its schemas")->type_name("");
  command->add_flag("--json", *is_json, "All of them with their schemas, as JSON");
  command->callback([&line, name, is_json] {
    line.command = [name, is_json](const Session&) { return run_tools(*name, *is_json); };
  });
}
}  // namespace kinetoscope::cli
