#pragma once

// One request's way back to its asker, as a transport gives it. Everything that belongs to the request and comes before
// its answer goes this way: progress, log messages, and (before the stateless revisions) the server's own requests.

#include <stop_token>

#include "server/mcp/json.hpp"

namespace kinetoscope::mcp {

class Exchange {
 public:
  Exchange() = default;
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  virtual ~Exchange() = default;

  /// Sends one whole message; whatever cannot be sent any more is dropped, for then `stop` is asked for. Any thread.
  virtual void send(const Json& message) = 0;
  /// Asked for when the asker has cancelled or gone, or the server ends.
  [[nodiscard]] virtual std::stop_token stop() const = 0;
  /// Ends the connection, not the request: the asker fetches the rest where the transport lets it resume.
  virtual void interrupt_connection() {}
};
}  // namespace kinetoscope::mcp
