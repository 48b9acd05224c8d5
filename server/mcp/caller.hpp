#pragma once

// Who asks, as far as an answer depends on it: read from the request itself, or from the session's handshake.

#include <memory>
#include <optional>
#include <string>

#include "server/mcp/json.hpp"
#include "server/mcp/log_level.hpp"
#include "server/mcp/revision.hpp"

namespace kinetoscope::mcp {

class HandshakeSession;

struct Caller {
  Revision revision = stateless;
  Json capabilities = Json::object();           ///< as the client declares them
  std::optional<LogLevel> log_level{};          ///< the least severe that it wants; nothing: none at all
  std::shared_ptr<HandshakeSession> session{};  ///< only where the revision has a handshake
  std::string principal{};                      ///< who was let in; empty where everybody is
};

/// Does the client declare all that `required` names? Objects are compared member by member, to any depth; an empty
/// `elicitation` means forms.
[[nodiscard]] bool declares(const Json& capabilities, const Json& required);
}  // namespace kinetoscope::mcp
