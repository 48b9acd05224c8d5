#pragma once

// A small server for tests of the protocol layer: a tool for each thing that a handler can do.

#include <condition_variable>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "server/mcp/call.hpp"
#include "server/mcp/changes.hpp"
#include "server/mcp/definition.hpp"
#include "server/mcp/json.hpp"
#include "server/mcp/outcome.hpp"
#include "server/mcp/protocol_error.hpp"

namespace kinetoscope::mcp {

inline Json sample_declaration(const char* name) {
  return {{"name", name}, {"description", "A tool for tests."}, {"inputSchema", {{"type", "object"}}}};
}

inline Outcome greet_by_form(const Json&, Call& call) {
  const Json* const form = call.filled_form("user_name");
  if (form != nullptr && form->value("name", Json()).is_string()) {
    return text_result("Hello, " + form->at("name").get<std::string>() + "!");
  }
  return InputRequired{{elicitation("user_name", "Who are you?", {{"type", "object"}})}, {{"asked", true}}};
}

/// Says that it has begun, by a log message, and waits until it is cancelled.
inline Outcome wait_for_cancel(const Json&, Call& call) {
  call.progress({.done = 1});
  std::mutex mutex;
  std::condition_variable_any cancelled;
  std::unique_lock lock(mutex);
  cancelled.wait(lock, call.stop(), [] { return false; });
  call.progress({.done = 2});
  throw Cancelled();
}

inline std::optional<ResourceContents> sample_resource(const std::string& uri, Call&) {
  if (uri != "test://one") return std::nullopt;
  return ResourceContents{Json::array({{{"uri", uri}, {"mimeType", "text/plain"}, {"text", "one"}}}), true};
}

inline Definition sample_definition() {
  Definition definition;
  definition.info = {{"name", "sample"}, {"version", "1"}};
  definition.instructions = "For tests.";
  definition.tools = {
      {sample_declaration("echo"),
       [](const Json& arguments, Call&) -> Outcome { return text_result(compact(arguments)); }},
      {sample_declaration("greet"), greet_by_form},
      {sample_declaration("wait"), wait_for_cancel},
      {sample_declaration("break"),
       [](const Json&, Call&) -> Outcome { throw std::runtime_error("a secret of the inside"); }},
      {sample_declaration("change"),
       [](const Json&, Call& call) -> Outcome {
         call.changes().tell(Change::tools);
         return text_result("changed");
       }},
      {sample_declaration("task"),
       [](const Json&, Call&) -> Outcome {
         return AsTask{[](Call& call) { return greet_by_form(Json::object(), call); }};
       }},
  };
  definition.resources.list = [] { return Json::array({{{"uri", "test://one"}, {"name", "one"}}}); };
  definition.resources.read = sample_resource;
  definition.tools_change = true;
  definition.has_subscriptions = true;
  definition.has_logging = true;
  definition.has_tasks = true;
  return definition;
}

/// A request that describes itself.
inline Json stateless_request(const Json& id, const char* method, Json params = Json::object(),
                              Json capabilities = Json::object()) {
  params["_meta"]["io.modelcontextprotocol/protocolVersion"] = "2026-07-28";
  params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = std::move(capabilities);
  return {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}};
}

inline Json plain_request(const Json& id, const char* method, Json params = Json::object()) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}};
}

inline Json initialize_request(const Json& id, const char* version, Json capabilities = Json::object()) {
  return plain_request(id, "initialize",
                       {{"protocolVersion", version},
                        {"capabilities", std::move(capabilities)},
                        {"clientInfo", {{"name", "test"}, {"version", "1"}}}});
}
}  // namespace kinetoscope::mcp
