// The tool `list_traces`: which traces are held, and what memory they take.

#include <utility>

#include "embedded/list_traces_input.hpp"
#include "embedded/list_traces_output.hpp"
#include "tools/all_tools.hpp"

namespace kinetoscope::tools {
namespace {

struct ListArguments {};
void from_json(const Json&, ListArguments&) {}

ToolResult list_traces(const ListArguments&, const ToolContext& context) {
  Json rows = Json::array();
  for (const StoredTrace& trace : context.traces.traces()) {
    Json row = {{"trace_id", trace.trace_id},
                {"file", trace.study->name()},
                {"events", trace.study->overview().events},
                {"memory_bytes", trace.study->bytes_used()}};
    rows.push_back(context.redacted(*trace.study, std::move(row)));
  }
  Json result = {{"total", rows.size()},
                 {"memory_bytes", context.traces.bytes_used()},
                 {"memory_budget_bytes", context.traces.budget_bytes()}};
  result["traces"] = std::move(rows);
  return {std::move(result)};
}
}  // namespace

Tool list_traces_tool() {
  return define_tool("list_traces", embedded::list_traces_input(), embedded::list_traces_output(), list_traces);
}
}  // namespace kinetoscope::tools
