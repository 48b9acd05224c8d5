#pragma once

// The requests that a client may send, in the two sets that revisions know: those with a handshake, and the stateless
// ones. What the definition does not offer is no method of its server.

#include <string_view>

#include "server/mcp/call.hpp"
#include "server/mcp/definition.hpp"
#include "server/mcp/json.hpp"
#include "server/mcp/message.hpp"
#include "server/mcp/outcome.hpp"
#include "server/mcp/revision.hpp"
#include "server/mcp/tasks.hpp"

namespace kinetoscope::mcp {

/// How long a client may keep a result of the stateless revisions, and whom else it may give it to.
struct Keeping {
  long long milliseconds = 0;
  bool is_public = false;
};

/// What a method is made of.
struct MethodFacts {
  const Definition& definition;
  const Message& request;
  Call& call;
  Tasks& tasks;
  Keeping& keeping;  ///< set by methods whose results may be kept by some and not by others
};

struct Method {
  std::string_view name;
  Outcome (*answer)(const MethodFacts& facts);
  bool (*is_offered)(const Definition& definition);
  bool is_kept = false;         ///< its results say how long they may be kept
  bool asks_for_input = false;  ///< its handler may need input
  bool is_of_tasks = false;     ///< wants a client that has the tasks extension
};

/// nullptr where the revision has no such method, or the definition does not offer it. Without `initialize` and
/// `subscriptions/listen`, which are about the connection: offers_listening().
[[nodiscard]] const Method* method_of(std::string_view name, Revision revision, const Definition& definition);
/// Does anything change that a client could listen to?
[[nodiscard]] bool offers_listening(const Definition& definition);
}  // namespace kinetoscope::mcp
