#pragma once

// What a server offers, as one value: the protocol layer serves any such definition, and knows nothing of traces.
// Lists are answered in the order in which they stand here. Handlers may be called by several threads at once; they
// throw ProtocolError for what is answered as an error, Cancelled when nobody waits any more.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/mcp/call.hpp"
#include "server/mcp/json.hpp"
#include "server/mcp/outcome.hpp"

namespace kinetoscope::mcp {

struct Tool {
  Json declaration;  ///< as tools/list has it: name, description, inputSchema, ...; passed through as it is
  /// `arguments` is an object, as the client sent it. The result has `content`, and what else a tool's result has.
  std::function<Outcome(const Json& arguments, Call& call)> call;

  [[nodiscard]] const std::string& name() const { return declaration.at("name").get_ref<const std::string&>(); }
};

struct Prompt {
  Json declaration;  ///< as prompts/list has it; arguments that are `required` are asked for before `get`
  std::function<Outcome(const Json& arguments, Call& call)> get;

  [[nodiscard]] const std::string& name() const { return declaration.at("name").get_ref<const std::string&>(); }
};

/// What `read` found.
struct ResourceContents {
  Json contents;          ///< as resources/read has it: an array that is not empty
  bool is_fixed = false;  ///< never another one under this address, so that clients may keep it for a while
};

struct Resources {
  std::function<Json()> list{};  ///< an array; empty: none ever
  Json templates = Json::array();
  std::function<std::optional<ResourceContents>(const std::string& uri, Call& call)> read{};  ///< nothing: no such one
};

/// What a client may offer its user for an argument of a prompt or of a resource's address.
struct Completion {
  std::vector<std::string> values;  ///< the first hundred are sent
};

struct Definition {
  Json info;                 ///< name, version, title, ...
  std::string instructions;  ///< for the model: at most 2 KiB are read by the known clients
  std::vector<Tool> tools{};
  std::vector<Prompt> prompts{};
  Resources resources{};
  /// `reference` is the request's `ref`, `given` what is filled in already. Absent: no completions.
  std::function<Completion(const Json& reference, const std::string& argument, const std::string& value,
                           const Json& given)>
      complete{};
  bool tools_change = false;
  bool prompts_change = false;
  bool resources_change = false;
  bool has_subscriptions = false;  ///< to single resources
  bool has_logging = false;
  bool has_tasks = false;  ///< the extension of the stateless revisions

  [[nodiscard]] bool has_resources() const noexcept { return static_cast<bool>(resources.list); }
  /// nullptr where there is none of that name. Valid as long as this.
  [[nodiscard]] const Tool* tool(std::string_view name) const;
  [[nodiscard]] const Prompt* prompt(std::string_view name) const;
};
}  // namespace kinetoscope::mcp
