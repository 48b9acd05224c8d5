#pragma once

// What a handler returns: its result, or what it needs before it can give one. A handler never asks the client by
// itself: it says what it needs, ends, and is called again with the answers. So one handler serves every revision.

#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "server/mcp/json.hpp"

namespace kinetoscope::mcp {

class Call;

/// One thing to ask the client for.
struct InputRequest {
  std::string key;     ///< under which the handler finds the answer: Call::input()
  std::string method;  ///< elicitation/create, sampling/createMessage or roots/list
  Json params = Json::object();
};

/// The handler is called again when the requests are answered, or, where there are none, when the client comes back.
struct InputRequired {
  std::vector<InputRequest> requests;
  Json state = nullptr;  ///< what the handler wants to find again by Call::state(); null for nothing
};

/// Work that goes on after the call is answered, by the tasks extension: `work` is called as a handler is, in another
/// thread. Only for a client that has the extension: Call::client_has_extension(tasks_extension).
struct AsTask;

using Outcome = std::variant<Json, InputRequired, AsTask>;

struct AsTask {
  std::function<Outcome(Call&)> work;  ///< gives no further AsTask
};

inline constexpr std::string_view tasks_extension = "io.modelcontextprotocol/tasks";

/// A tool's result that is one text.
[[nodiscard]] Json text_result(std::string_view text);
/// The same, of a tool that failed in a way that the asker can mend.
[[nodiscard]] Json failed_result(std::string_view text);
/// A form for the user. `schema` is flat: text, numbers, booleans and choices.
[[nodiscard]] InputRequest elicitation(std::string key, std::string_view message, Json schema);
}  // namespace kinetoscope::mcp
