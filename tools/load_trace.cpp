// The tool `load_trace`: reads a trace and gives the handle that every other tool asks for.

#include <string>
#include <utility>

#include "embedded/load_trace_input.hpp"
#include "embedded/load_trace_output.hpp"
#include "core/report/overview_json.hpp"
#include "tools/all_tools.hpp"
#include "tools/next_actions.hpp"

namespace kinetoscope::tools {
namespace {

struct LoadArguments {
  std::string path;
};
void from_json(const Json& json, LoadArguments& arguments) { json.at("path").get_to(arguments.path); }

ToolResult load_trace(const LoadArguments& arguments, const ToolContext& context) {
  const StoredTrace trace = context.load(arguments.path);
  const report::Info info = trace.study->info(context.stop);
  Json result = {{"trace_id", trace.trace_id}, {"file", info.file}};
  result.update(report::loaded_json(info));
  result["redaction"] = context.is_redacted ? "names of hosts, users, jobs and paths are hidden" : "off";
  result["next_actions"] = next_actions(info.fitness, trace.trace_id);
  return {context.redacted(*trace.study, std::move(result))};
}
}  // namespace

Tool load_trace_tool() {
  return define_tool("load_trace", embedded::load_trace_input(), embedded::load_trace_output(), load_trace);
}
}  // namespace kinetoscope::tools
