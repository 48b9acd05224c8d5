#pragma once

// What a client carries from one round of a call to the next, so that the server keeps nothing: `requestState`. The
// client may change it at will, so it is signed, and bound to the call, its arguments, who makes it, and ten minutes.

#include <chrono>
#include <string>

#include "server/mcp/caller.hpp"
#include "server/mcp/json.hpp"
#include "server/mcp/message.hpp"
#include "server/mcp/signing.hpp"

namespace kinetoscope::mcp {

/// What the rounds of one call keep.
struct RoundState {
  int round = 0;                 ///< how many answers have asked for input so far; makes each round's text another one
  Json handler = nullptr;        ///< what the handler kept
  Json inputs = Json::object();  ///< answers of earlier rounds
};

class RequestStates {
 public:
  using Clock = std::chrono::system_clock;

  [[nodiscard]] std::string sealed(const RoundState& state, const Message& request, const Caller& caller,
                                   Clock::time_point now = Clock::now()) const;
  /// The state of the request's `requestState`; that of a first round where it has none. Throws ProtocolError
  /// invalid_params where it was not made here for this very call, or more than ten minutes ago.
  [[nodiscard]] RoundState opened(const Message& request, const Caller& caller,
                                  Clock::time_point now = Clock::now()) const;

 private:
  Signer signer_;
};
}  // namespace kinetoscope::mcp
