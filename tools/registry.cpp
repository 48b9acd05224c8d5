#include "tools/registry.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "tools/all_tools.hpp"
#include "tools/closest_name.hpp"

namespace kinetoscope::tools {

std::span<const Tool> all_tools() {
  static const std::vector<Tool> tools = {load_trace_tool(), list_traces_tool(), unload_trace_tool(), overview_tool(),
                                          roofline_tool()};
  return tools;
}

const Tool& tool_of(std::string_view name) {
  const std::span<const Tool> tools = all_tools();
  const auto found = std::ranges::find(tools, name, &Tool::name);
  if (found != tools.end()) return *found;
  std::vector<std::string> names;
  std::string all;
  for (const Tool& tool : tools) {
    names.push_back(tool.name);
    all += (all.empty() ? "" : ", ") + tool.name;
  }
  const std::string closest = closest_name(name, names);
  throw Error({.code = ErrorCode::unknown_tool,
               .argument = "tool",
               .received = std::string(name),
               .accepted = closest.empty() ? "there are " + all : "did you mean " + closest + "? there are " + all});
}
}  // namespace kinetoscope::tools
