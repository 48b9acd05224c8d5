// The tool `unload_trace`: gives a trace's memory back before others need it.

#include <string>

#include "embedded/unload_trace_input.hpp"
#include "embedded/unload_trace_output.hpp"
#include "tools/all_tools.hpp"

namespace kinetoscope::tools {
namespace {

struct UnloadArguments {
  std::string trace_id;
};
void from_json(const Json& json, UnloadArguments& arguments) { json.at("trace_id").get_to(arguments.trace_id); }

ToolResult unload_trace(const UnloadArguments& arguments, const ToolContext& context) {
  const bool was_held = context.traces.unload(arguments.trace_id);
  return {{{"trace_id", arguments.trace_id}, {"was_held", was_held}, {"memory_bytes", context.traces.bytes_used()}}};
}
}  // namespace

Tool unload_trace_tool() {
  return define_tool("unload_trace", embedded::unload_trace_input(), embedded::unload_trace_output(), unload_trace);
}
}  // namespace kinetoscope::tools
