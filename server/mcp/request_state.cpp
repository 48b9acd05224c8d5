#include "server/mcp/request_state.hpp"

#include <cstdint>
#include <optional>

#include "server/mcp/protocol_error.hpp"

namespace kinetoscope::mcp {
namespace {

constexpr std::chrono::minutes state_lifetime(10);

/// The parameters that belong to a round and not to the call.
bool is_of_one_round(const std::string& key) {
  return key == "_meta" || key == "inputResponses" || key == "requestState";
}

std::string call_digest(const Message& request, const Caller& caller) {
  Json bound = Json::array({request.method, caller.principal});
  for (const auto& [key, value] : request.params.items()) {
    if (!is_of_one_round(key)) bound.push_back(Json::array({key, value}));
  }
  return digest(compact(bound));
}

std::int64_t seconds_of(RequestStates::Clock::time_point time) {
  return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}
}  // namespace

std::string RequestStates::sealed(const RoundState& state, const Message& request, const Caller& caller,
                                  Clock::time_point now) const {
  const Json payload = {{"call", call_digest(request, caller)},
                        {"until_s", seconds_of(now + state_lifetime)},
                        {"round", state.round},
                        {"handler", state.handler},
                        {"inputs", state.inputs}};
  return signer_.sealed(compact(payload));
}

RoundState RequestStates::opened(const Message& request, const Caller& caller, Clock::time_point now) const {
  const Json* const text = member(request.params, "requestState");
  if (text == nullptr) return {};
  const auto refuse = [] {
    return ProtocolError(code::invalid_params, "requestState was not made by this server for this call, or is too old");
  };
  if (!text->is_string()) throw refuse();
  const std::optional<std::string> opened = signer_.opened(text->get_ref<const std::string&>());
  if (!opened) throw refuse();
  const Json payload = Json::parse(*opened);
  const bool is_of_call = payload.at("call") == call_digest(request, caller);
  if (!is_of_call || payload.at("until_s").get<std::int64_t>() < seconds_of(now)) throw refuse();
  return {payload.at("round").get<int>(), payload.at("handler"), payload.at("inputs")};
}
}  // namespace kinetoscope::mcp
