// The tool `roofline`: how much of the peak was used, where the rest went, and which operators could give time back.

#include <cstddef>
#include <string>
#include <utility>

#include "embedded/roofline_input.hpp"
#include "embedded/roofline_output.hpp"
#include "core/tree/scope.hpp"
#include "core/analysis/platform_choice.hpp"
#include "core/report/roofline_page.hpp"
#include "tools/all_tools.hpp"
#include "tools/page.hpp"

namespace kinetoscope::tools {
namespace {

struct RooflineArguments {
  std::string trace_id;
  std::string scope;
  std::string platform;
  std::size_t limit = 0;
  std::string cursor;
};
void from_json(const Json& json, RooflineArguments& arguments) {
  json.at("trace_id").get_to(arguments.trace_id);
  json.at("scope").get_to(arguments.scope);
  arguments.platform = json.value("platform", "");
  json.at("limit").get_to(arguments.limit);
  arguments.cursor = json.value("cursor", "");
}

/// A platform's file may be named only where a trace could be.
analysis::PlatformChoice chosen_platform(const std::string& named, const ToolContext& context) {
  if (named.empty()) return {};
  const bool is_file = named.find('/') != std::string::npos || named.ends_with(".json");
  return analysis::platform_choice_of(is_file ? context.files.readable(named) : named);
}

ToolResult roofline(const RooflineArguments& arguments, const ToolContext& context) {
  const StoredTrace trace = context.trace(arguments.trace_id);
  trace.study->require(analysis::Question::roofline);
  const std::size_t first = first_row(arguments.cursor);
  const analysis::TableOptions options = {.scope = parse_scope(arguments.scope),
                                          .platform = chosen_platform(arguments.platform, context)};
  const analysis::RooflineReport& made = trace.study->roofline(options, context.stop);
  Json result = {{"trace_id", trace.trace_id}};
  result.update(report::roofline_page_json(made, {first, arguments.limit}));
  say_what_follows(result, first, result["returned"], result["total"]);
  return {context.redacted(*trace.study, std::move(result))};
}
}  // namespace

Tool roofline_tool() {
  return define_tool("roofline", embedded::roofline_input(), embedded::roofline_output(), roofline);
}
}  // namespace kinetoscope::tools
