#pragma once

// The protocol without its transports: a definition's answers to whole messages, in the words of the revision that the
// asker speaks. A transport reads messages, finds out who asks (stateless_caller() of a request that describes itself,
// a HandshakeSession for the others), and carries what comes back. Safe from any thread.

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "server/mcp/caller.hpp"
#include "server/mcp/changes.hpp"
#include "server/mcp/definition.hpp"
#include "server/mcp/exchange.hpp"
#include "server/mcp/handshake_session.hpp"
#include "server/mcp/json.hpp"
#include "server/mcp/message.hpp"
#include "server/mcp/request_state.hpp"
#include "server/mcp/tasks.hpp"

namespace kinetoscope::mcp {

inline constexpr std::string_view listen_method = "subscriptions/listen";

class Protocol {
 public:
  /// `changes` is told by whoever changes something; both outlive this.
  explicit Protocol(const Definition& definition, Changes& changes)
      : definition_(&definition), changes_(&changes), tasks_(changes) {}

  [[nodiscard]] const Definition& definition() const noexcept { return *definition_; }

  /// Who sends a request that describes itself. Throws ProtocolError, in this order: invalid_params where `_meta` lacks
  /// something, unsupported_version, method_not_found, missing_client_capability.
  [[nodiscard]] Caller stateless_caller(const Message& request, std::string principal = {}) const;

  /// Opens a session by `initialize`; what the session wants to hear goes to `tell` until it ends.
  [[nodiscard]] std::shared_ptr<HandshakeSession> open_session(const Message& request, Changes::Tell tell) const;
  /// The answer to the `initialize` that opened the session.
  [[nodiscard]] Json initialized(const Message& request, const HandshakeSession& session) const;

  /// The whole answer: a result or an error, whatever the handler does. Nothing when the call was cancelled. Runs the
  /// handler in the calling thread. Not for `initialize` and `subscriptions/listen`.
  [[nodiscard]] std::optional<Json> answer(const Message& request, const Caller& caller, Exchange& exchange);

  /// `subscriptions/listen`: `send` gets the acknowledgement at once, then every change that was asked for, for as long
  /// as the pointer is kept. Throws ProtocolError invalid_params.
  [[nodiscard]] std::shared_ptr<Changes::Listener> listen(const Message& request,
                                                          std::function<void(const Json&)> send) const;
  /// The answer to `subscriptions/listen`, when the server ends it.
  [[nodiscard]] Json listening_ended(const Message& request) const;

  /// Cancels tasks that outlive their calls; false where one still runs after that time.
  [[nodiscard]] bool end_tasks(std::chrono::milliseconds longest) { return tasks_.end(longest); }

 private:
  [[nodiscard]] Json session_result(const Message& request, const Caller& caller, Exchange& exchange);
  [[nodiscard]] Json stateless_result(const Message& request, const Caller& caller, Exchange& exchange);

  const Definition* definition_;
  Changes* changes_;
  RequestStates states_;
  Tasks tasks_;
};
}  // namespace kinetoscope::mcp
