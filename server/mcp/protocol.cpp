#include "server/mcp/protocol.hpp"

#include <exception>
#include <utility>
#include <variant>
#include <vector>

#include "server/mcp/call.hpp"
#include "server/mcp/input_requests.hpp"
#include "server/mcp/listings.hpp"
#include "server/mcp/methods.hpp"
#include "server/mcp/protocol_error.hpp"

namespace kinetoscope::mcp {
namespace {

constexpr int most_rounds = 16;

/// What a result of the stateless revisions has beside the method's own fields.
Json enclosed(Json result, const Definition& definition) {
  if (!result.contains("resultType")) result["resultType"] = "complete";
  result["_meta"][std::string(meta::server_info)] = definition.info;
  return result;
}

void say_how_long_kept(Json& result, const Keeping& keeping) {
  result["ttlMs"] = keeping.milliseconds;
  result["cacheScope"] = keeping.is_public ? "public" : "private";
}

const Json& required_meta(const Json& request_meta, std::string_view key, bool is_right_type(const Json&)) {
  const Json* const found = member(request_meta, key);
  if (found != nullptr && is_right_type(*found)) return *found;
  throw ProtocolError(code::invalid_params, "params._meta lacks " + std::string(key));
}

bool is_text(const Json& value) { return value.is_string(); }
bool is_object(const Json& value) { return value.is_object(); }

Revision required_revision(const std::string& asked) {
  const std::optional<Revision> revision = revision_of(asked);
  if (revision && is_stateless(*revision)) return *revision;
  throw ProtocolError(code::unsupported_version, "unsupported protocol version",
                      {{"supported", supported_versions()}, {"requested", asked}});
}

std::optional<LogLevel> wanted_log_level(const Json& request_meta) {
  const Json* const wanted = member(request_meta, meta::log_level);
  if (wanted == nullptr) return std::nullopt;
  const std::string* const text = wanted->get_ptr<const std::string*>();
  const std::optional<LogLevel> level = text == nullptr ? std::nullopt : log_level_of(*text);
  if (!level) throw ProtocolError(code::invalid_params, std::string(meta::log_level) + " is no log level");
  return level;
}

ProtocolError no_such_method(const std::string& method) {
  return {code::method_not_found, "unknown method", {{"method", method}}};
}

/// The method's handler, called again with the client's answers until it needs nothing more.
Outcome settled_in_session(const Method& method, const MethodFacts& facts, Exchange& exchange) {
  const Caller& caller = facts.call.caller();
  Json inputs = Json::object();
  for (int round = 0; round < most_rounds; ++round) {
    Outcome outcome = method.answer(facts);
    const auto* const needed = std::get_if<InputRequired>(&outcome);
    if (needed == nullptr) return outcome;
    for (const InputRequest& request : answerable(needed->requests, caller.capabilities)) {
      const Json answer = caller.session->ask(in_words_of(caller.revision, request), exchange);
      if (!answer.is_object()) {
        throw ProtocolError(code::invalid_request, "the client did not answer " + request.method);
      }
      inputs[request.key] = answer;
    }
    facts.call.set_inputs(inputs, needed->state);
  }
  throw ProtocolError(code::internal_error, "the call asked for input too often");
}

/// The result that asks a stateless client to come back with answers.
Json asking_result(const InputRequired& needed, RoundState state, const Message& request, const Caller& caller,
                   const RequestStates& states) {
  std::vector<InputRequest> requests;
  for (InputRequest& asked : answerable(needed.requests, caller.capabilities)) {
    requests.push_back(in_words_of(caller.revision, std::move(asked)));
  }
  Json result = {{"resultType", "input_required"}};
  if (!requests.empty()) result["inputRequests"] = input_requests_json(requests);
  ++state.round;
  state.handler = needed.state;
  if (requests.empty() || !state.handler.is_null() || !state.inputs.empty()) {
    result["requestState"] = states.sealed(state, request, caller);
  }
  return result;
}

bool asks(const Json& asked, const char* key) {
  const Json* const wish = member(asked, key);
  return wish != nullptr && wish->is_boolean() && wish->get<bool>();
}

struct AcceptedSubscription {
  ChangeFilter filter{};
  Json notifications = Json::object();  ///< as the acknowledgement has it
};

/// What is asked for and can be had.
AcceptedSubscription accepted_part(const Definition& definition, const Json& asked) {
  AcceptedSubscription accepted;
  const auto accept = [&](const char* key, bool is_offered, bool& is_wanted) {
    is_wanted = is_offered && asks(asked, key);
    if (is_wanted) accepted.notifications[key] = true;
  };
  accept("toolsListChanged", definition.tools_change, accepted.filter.tools);
  accept("promptsListChanged", definition.prompts_change, accepted.filter.prompts);
  accept("resourcesListChanged", definition.resources_change, accepted.filter.resources);
  const Json* const uris = member(asked, "resourceSubscriptions");
  if (!definition.has_subscriptions || uris == nullptr || !uris->is_array()) return accepted;
  for (const Json& uri : *uris) {
    if (accepted.filter.resource_uris.size() == HandshakeSession::most_subscriptions) break;
    if (uri.is_string()) accepted.filter.resource_uris.insert(uri.get<std::string>());
  }
  accepted.notifications["resourceSubscriptions"] = accepted.filter.resource_uris;
  return accepted;
}

/// A task of a caller that cannot have any is done at once.
Outcome without_task(Outcome outcome, Call& call) {
  if (const auto* const task = std::get_if<AsTask>(&outcome)) return task->work(call);
  return outcome;
}
}  // namespace

Caller Protocol::stateless_caller(const Message& request, std::string principal) const {
  const Json& request_meta = object_member(request.params, "_meta");
  const Json& version = required_meta(request_meta, meta::protocol_version, is_text);
  const Json& capabilities = required_meta(request_meta, meta::client_capabilities, is_object);
  Caller caller;
  caller.revision = required_revision(version.get_ref<const std::string&>());
  caller.capabilities = capabilities;
  caller.principal = std::move(principal);
  if (request.method == listen_method) {
    if (!offers_listening(*definition_)) throw no_such_method(request.method);
    return caller;
  }
  const Method* const method = method_of(request.method, caller.revision, *definition_);
  if (method == nullptr) throw no_such_method(request.method);
  const Json tasks = {{"extensions", {{std::string(tasks_extension), Json::object()}}}};
  if (method->is_of_tasks && !declares(capabilities, tasks)) {
    throw ProtocolError(code::missing_client_capability, "the client does not declare the tasks extension",
                        {{"requiredCapabilities", tasks}});
  }
  caller.log_level = wanted_log_level(request_meta);
  return caller;
}

std::shared_ptr<HandshakeSession> Protocol::open_session(const Message& request, Changes::Tell tell) const {
  return std::make_shared<HandshakeSession>(request.params, *changes_, std::move(tell));
}

Json Protocol::initialized(const Message& request, const HandshakeSession& session) const {
  return result_message(request.id, initialize_result(*definition_, session.revision()));
}

std::optional<Json> Protocol::answer(const Message& request, const Caller& caller, Exchange& exchange) {
  try {
    Json result = is_stateless(caller.revision) ? stateless_result(request, caller, exchange)
                                                : session_result(request, caller, exchange);
    if (exchange.stop().stop_requested()) return std::nullopt;
    return result_message(request.id, std::move(result));
  } catch (const Cancelled&) {
    if (exchange.stop().stop_requested()) return std::nullopt;
    return error_message(request.id, ProtocolError(code::internal_error, "the call was given up"));
  } catch (const ProtocolError& error) {
    return error_message(request.id, error);
  } catch (const std::exception&) {
    return error_message(request.id, ProtocolError(code::internal_error, "internal error"));
  }
}

Json Protocol::session_result(const Message& request, const Caller& caller, Exchange& exchange) {
  const Method* const method = method_of(request.method, caller.revision, *definition_);
  if (method == nullptr) throw no_such_method(request.method);
  Call call(caller, exchange, *changes_, request.params);
  Keeping keeping;
  const MethodFacts facts = {*definition_, request, call, tasks_, keeping};
  Outcome outcome = without_task(settled_in_session(*method, facts, exchange), call);
  if (auto* const result = std::get_if<Json>(&outcome)) return std::move(*result);
  throw ProtocolError(code::internal_error, "the work asked for input too late");
}

Json Protocol::stateless_result(const Message& request, const Caller& caller, Exchange& exchange) {
  const Method* const method = method_of(request.method, caller.revision, *definition_);
  if (method == nullptr) throw no_such_method(request.method);
  Call call(caller, exchange, *changes_, request.params);
  RoundState state;
  if (method->asks_for_input) {
    state = states_.opened(request, caller);
    merge_answers(state.inputs, object_member(request.params, "inputResponses"));
    call.set_inputs(state.inputs, state.handler);
  }
  Keeping keeping;
  Outcome outcome = method->answer({*definition_, request, call, tasks_, keeping});
  if (std::holds_alternative<AsTask>(outcome)) {
    if (call.client_has_extension(tasks_extension)) {
      return enclosed(tasks_.begin(std::get<AsTask>(std::move(outcome)), caller), *definition_);
    }
    outcome = without_task(std::move(outcome), call);
  }
  if (const auto* const needed = std::get_if<InputRequired>(&outcome)) {
    return enclosed(asking_result(*needed, std::move(state), request, caller, states_), *definition_);
  }
  Json result = enclosed(std::get<Json>(std::move(outcome)), *definition_);
  if (method->is_kept) say_how_long_kept(result, keeping);
  return result;
}

std::shared_ptr<Changes::Listener> Protocol::listen(const Message& request,
                                                    std::function<void(const Json&)> send) const {
  const Json* const asked = member(request.params, "notifications");
  if (asked == nullptr || !asked->is_object()) {
    throw ProtocolError(code::invalid_params, "notifications is an object, and required");
  }
  AcceptedSubscription accepted = accepted_part(*definition_, *asked);
  const Json id = {{std::string(meta::subscription_id), request.id}};
  send(notification_message("notifications/subscriptions/acknowledged",
                            {{"_meta", id}, {"notifications", std::move(accepted.notifications)}}));
  return changes_->listen(std::move(accepted.filter),
                          [id, send = std::move(send)](const std::string& method, const Json& params) {
                            Json tagged = params;
                            tagged["_meta"] = id;
                            send(notification_message(method, std::move(tagged)));
                          });
}

Json Protocol::listening_ended(const Message& request) const {
  Json result = enclosed(Json::object(), *definition_);
  result["_meta"][std::string(meta::subscription_id)] = request.id;
  return result_message(request.id, std::move(result));
}
}  // namespace kinetoscope::mcp
