// The tool `overview`: how well the GPU was used, and which categories and operators used it.

#include <cstddef>
#include <string>
#include <utility>

#include "embedded/overview_input.hpp"
#include "embedded/overview_output.hpp"
#include "core/tree/scope.hpp"
#include "core/report/overview_json.hpp"
#include "tools/all_tools.hpp"
#include "tools/next_actions.hpp"
#include "tools/page.hpp"

namespace kinetoscope::tools {
namespace {

struct OverviewArguments {
  std::string trace_id;
  std::string scope;
  std::size_t limit = 0;
  std::string cursor;
};
void from_json(const Json& json, OverviewArguments& arguments) {
  json.at("trace_id").get_to(arguments.trace_id);
  json.at("scope").get_to(arguments.scope);
  json.at("limit").get_to(arguments.limit);
  arguments.cursor = json.value("cursor", "");
}

ToolResult overview(const OverviewArguments& arguments, const ToolContext& context) {
  const StoredTrace trace = context.trace(arguments.trace_id);
  const std::size_t first = first_row(arguments.cursor);
  const analysis::TableOptions options = {.scope = parse_scope(arguments.scope), .platform = analysis::no_platform()};
  const analysis::Tables& tables = trace.study->tables(options, context.stop);
  const report::Info info = trace.study->info(context.stop);
  Json result = {{"trace_id", trace.trace_id}, {"scope", text_of(options.scope)}};
  result.update(report::overview_json(info, tables, {first, arguments.limit}));
  if (tables.operators) say_what_follows(result, first, result["returned"], result["total"]);
  result["next_actions"] = Json::array({next_action(
      "roofline", {{"trace_id", trace.trace_id}}, "what each operator should have cost, and what could be recovered")});
  return {context.redacted(*trace.study, std::move(result))};
}
}  // namespace

Tool overview_tool() {
  return define_tool("overview", embedded::overview_input(), embedded::overview_output(), overview);
}
}  // namespace kinetoscope::tools
