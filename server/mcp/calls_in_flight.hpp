#pragma once

// The requests of one connection that are being answered, by their ids, so that each can be cancelled, and none is
// answered after that. Safe from any thread.

#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include "server/mcp/json.hpp"

namespace kinetoscope::mcp {

class CallsInFlight {
 public:
  /// Nothing where a request with that id is in flight already.
  [[nodiscard]] std::optional<std::stop_token> begin(const Json& id);
  /// False when the request was cancelled: its answer is not to be sent.
  [[nodiscard]] bool end(const Json& id);
  /// Does nothing for an id that is not in flight.
  void cancel(const Json& id);
  void cancel_all();

 private:
  std::mutex mutex_;
  std::map<std::string, std::stop_source> calls_;  // guarded by mutex_; by id_key
};
}  // namespace kinetoscope::mcp
