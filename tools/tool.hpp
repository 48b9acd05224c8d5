#pragma once

// What a tool is. Its schemas are files, schemas/tools/<name>.{input,output}.json, built into the program: the input's
// title and description are the tool's own, and what its arguments are is said nowhere else. Its handler gets arguments
// that fit the schema, defaults filled in, asks a Study, and returns a result that fits the other one.

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/study/study.hpp"
#include "core/study/trace_store.hpp"
#include "tools/file_access.hpp"
#include "tools/json.hpp"

namespace kinetoscope::tools {

/// How far a call has come: of the bytes of a file, where they are known.
struct ToolProgress {
  double done = 0;
  std::optional<double> total{};
  std::string message{};
};

/// What a handler may use. References outlive the call.
struct ToolContext {
  TraceStore& traces;
  const FileAccess& files;
  unsigned threads = 2;
  bool is_redacted = false;  ///< who and where is hidden in answers
  bool takes_paths = false;  ///< a trace may be named by its file wherever a handle is asked for
  std::stop_token stop{};
  std::function<void(const ToolProgress&)> on_progress{};

  /// Loads the trace, or finds it loaded. Throws Error as TraceStore::load() and FileAccess::readable() do.
  [[nodiscard]] StoredTrace load(const std::string& path) const;
  /// The trace of a handle. Throws Error unknown_trace.
  [[nodiscard]] StoredTrace trace(const std::string& trace_id) const;
  /// The document without the names that --redact hides, where it is on.
  [[nodiscard]] Json redacted(const Study& study, Json document) const;
};

/// A larger result that a client may fetch.
struct ResourceLink {
  std::string uri;
  std::string name;
  std::string mime_type;
  std::string description;
};

struct ToolResult {
  Json structured;
  std::vector<ResourceLink> links{};
};

struct Tool {
  std::string name;
  std::string title;
  std::string description;
  Json input_schema;
  Json output_schema;
  std::function<ToolResult(const Json& arguments, const ToolContext& context)> call;
};

/// The tool of these schemas. `Arguments` is read by its from_json().
template <typename Arguments>
[[nodiscard]] Tool define_tool(std::string_view name, std::string_view input_schema, std::string_view output_schema,
                               ToolResult (*handler)(const Arguments&, const ToolContext&)) {
  Json input = Json::parse(input_schema);
  Tool tool = {.name = std::string(name),
               .title = input.at("title").get<std::string>(),
               .description = input.at("description").get<std::string>(),
               .input_schema = {},
               .output_schema = Json::parse(output_schema),
               .call = [handler](const Json& arguments, const ToolContext& context) {
                 return handler(arguments.get<Arguments>(), context);
               }};
  input.erase("title");
  input.erase("description");
  tool.input_schema = std::move(input);
  return tool;
}
}  // namespace kinetoscope::tools
