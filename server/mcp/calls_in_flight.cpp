#include "server/mcp/calls_in_flight.hpp"

#include <vector>

#include "server/mcp/message.hpp"

namespace kinetoscope::mcp {

std::optional<std::stop_token> CallsInFlight::begin(const Json& id) {
  const std::lock_guard lock(mutex_);
  const auto [place, is_new] = calls_.try_emplace(id_key(id));
  if (!is_new) return std::nullopt;
  return place->second.get_token();
}

bool CallsInFlight::end(const Json& id) {
  const std::lock_guard lock(mutex_);
  const auto found = calls_.find(id_key(id));
  if (found == calls_.end()) return false;
  const bool is_wanted = !found->second.stop_requested();
  calls_.erase(found);
  return is_wanted;
}

void CallsInFlight::cancel(const Json& id) {
  std::stop_source stop(std::nostopstate);
  {
    const std::lock_guard lock(mutex_);
    const auto found = calls_.find(id_key(id));
    if (found != calls_.end()) stop = found->second;
  }
  stop.request_stop();  // outside of the lock: it calls whoever waits for it
}

void CallsInFlight::cancel_all() {
  std::vector<std::stop_source> stops;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [key, stop] : calls_) stops.push_back(stop);
  }
  for (std::stop_source& stop : stops) stop.request_stop();
}
}  // namespace kinetoscope::mcp
