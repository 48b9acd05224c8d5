#pragma once

// What is kept between the requests of a client that opened with a handshake: what was agreed, which log messages and
// resources it wants, and the questions that it has not answered yet. Safe from any thread.

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "server/mcp/caller.hpp"
#include "server/mcp/changes.hpp"
#include "server/mcp/exchange.hpp"
#include "server/mcp/json.hpp"
#include "server/mcp/message.hpp"
#include "server/mcp/outcome.hpp"

namespace kinetoscope::mcp {

/// Made by std::make_shared: callers keep their session.
class HandshakeSession final : public std::enable_shared_from_this<HandshakeSession> {
 public:
  /// A user may take that long to fill in a form.
  static constexpr std::chrono::minutes longest_wait{5};
  static constexpr std::size_t most_subscriptions = 1000;

  /// Of the params of `initialize`. The changes that it listens to go to `tell`.
  HandshakeSession(const Json& initialize_params, Changes& changes, Changes::Tell tell);

  [[nodiscard]] Revision revision() const noexcept { return revision_; }
  [[nodiscard]] Caller caller();

  void set_log_level(LogLevel level);
  /// Throws ProtocolError invalid_params beyond most_subscriptions.
  void subscribe(const std::string& uri);
  void unsubscribe(const std::string& uri);

  /// Asks the client on the way of the call that needs it, and waits for the answer: its result, or null where the
  /// client answers with an error or not in time. Throws Cancelled when the call is no longer wanted.
  [[nodiscard]] Json ask(const InputRequest& request, Exchange& exchange);
  /// Takes the answer to a question of ask(); an answer to no question is dropped.
  void take(const Message& response);

 private:
  Revision revision_;
  Json capabilities_;
  std::shared_ptr<Changes::Listener> listener_;
  std::mutex mutex_;
  std::condition_variable_any answered_;
  LogLevel log_level_ = LogLevel::info;                 // guarded by mutex_
  std::size_t subscriptions_ = 0;                       // guarded by mutex_
  std::size_t questions_ = 0;                           // guarded by mutex_
  std::map<std::string, std::optional<Json>> awaited_;  // guarded by mutex_; by id_key
};
}  // namespace kinetoscope::mcp
