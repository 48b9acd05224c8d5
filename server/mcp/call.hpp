#pragma once

// One call as its handler sees it: who asks, whether it is still wanted, and the ways to say something before the
// result. Used by one thread at a time.

#include <chrono>
#include <deque>
#include <optional>
#include <stop_token>
#include <string_view>

#include "server/mcp/caller.hpp"
#include "server/mcp/exchange.hpp"
#include "server/mcp/json.hpp"
#include "server/mcp/log_level.hpp"

namespace kinetoscope::mcp {

class Changes;

/// How far a call has come. Only what is further than before is sent, and at most ten a second.
struct Progress {
  double done = 0;
  std::optional<double> total{};
  std::string_view message{};
};

class Call {
 public:
  /// All four outlive the call. `params` are the request's: its progress token is read from them.
  Call(const Caller& caller, Exchange& exchange, Changes& changes, const Json& params)
      : caller_(&caller), exchange_(&exchange), changes_(&changes), params_(&params) {}

  [[nodiscard]] Revision revision() const noexcept { return caller_->revision; }
  [[nodiscard]] const Caller& caller() const noexcept { return *caller_; }
  [[nodiscard]] Exchange& exchange() const noexcept { return *exchange_; }
  /// Asked for when nobody waits any more.
  [[nodiscard]] std::stop_token stop() const { return exchange_->stop(); }
  /// Throws Cancelled when `stop` was asked for.
  void stop_if_asked() const;

  [[nodiscard]] bool wants_progress() const;
  void progress(const Progress& progress);
  /// Sent where the client wants messages of this level.
  void log(LogLevel level, std::string_view logger, const Json& data);

  [[nodiscard]] bool client_has(const Json& capabilities) const {
    return declares(caller_->capabilities, capabilities);
  }
  [[nodiscard]] bool client_has_extension(std::string_view extension) const;
  /// Throws ProtocolError missing_client_capability, with what is missing, where the client does not declare it all.
  void require(const Json& capabilities) const;

  /// The client's answer to the input request of that key; nullptr where there is none yet or it is no object.
  [[nodiscard]] const Json* input(std::string_view key) const;
  /// What the user filled into a form that was accepted; nullptr where input() is, or the user declined.
  [[nodiscard]] const Json* filled_form(std::string_view key) const;
  /// What the handler's last InputRequired kept; null in the first round.
  [[nodiscard]] const Json& state() const noexcept { return state_; }
  void set_inputs(Json inputs, Json state);

  /// To tell clients that a list or a resource has changed.
  [[nodiscard]] Changes& changes() const noexcept { return *changes_; }

 private:
  [[nodiscard]] bool may_send_progress_now();

  const Caller* caller_;
  Exchange* exchange_;
  Changes* changes_;
  const Json* params_;
  Json inputs_ = Json::object();
  Json state_ = nullptr;
  std::optional<double> furthest_;
  std::deque<std::chrono::steady_clock::time_point> sent_;  ///< the last ten
};
}  // namespace kinetoscope::mcp
