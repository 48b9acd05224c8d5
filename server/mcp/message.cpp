#include "server/mcp/message.hpp"

#include <utility>

#include "server/mcp/message_limits.hpp"

namespace kinetoscope::mcp {
namespace {

Json parsed(std::string_view text) {
  MessageLimits limits;
  if (!Json::sax_parse(text, &limits)) {
    if (limits.is_exceeded()) throw MessageError(code::invalid_request, limits.problem());
    throw MessageError(code::parse_error, "not JSON: " + limits.problem());
  }
  return Json::parse(text);
}

bool is_id(const Json& id) { return id.is_string() || id.is_number_integer(); }

/// The id where one can be read, so that even a refusal says what it refuses.
Json readable_id(const Json& document) {
  const Json* const id = member(document, "id");
  return id != nullptr && is_id(*id) ? *id : Json(nullptr);
}

[[noreturn]] void refuse_message(const Json& document, const char* problem) {
  throw MessageError(code::invalid_request, problem, readable_id(document));
}

Message read_response(Json& document) {
  const bool has_result = document.contains("result");
  if (has_result == document.contains("error"))
    refuse_message(document, "a message has a method, a result or an error");
  if (!is_id(document.value("id", Json()))) refuse_message(document, "the id of a response is a string or an integer");
  Message message;
  message.kind = MessageKind::response;
  message.id = document["id"];
  (has_result ? message.result : message.error) = std::move(document[has_result ? "result" : "error"]);
  return message;
}

Message read_call(Json& document) {
  const std::string* const method = text_member(document, "method");
  if (method == nullptr || method->empty()) refuse_message(document, "the method is a string");
  Message message;
  message.method = *method;
  message.kind = document.contains("id") ? MessageKind::request : MessageKind::notification;
  if (message.kind == MessageKind::request) {
    message.id = readable_id(document);
    if (message.id.is_null()) refuse_message(document, "the id of a request is a string or an integer");
  }
  // Some clients write null where they have no params.
  if (const auto params = document.find("params"); params != document.end() && !params->is_null()) {
    message.params = std::move(*params);
  }
  if (!message.params.is_object()) throw MessageError(code::invalid_params, "params is an object", message.id);
  return message;
}
}  // namespace

Message read_message(std::string_view text) {
  Json document = parsed(text);
  if (document.is_array()) throw MessageError(code::invalid_request, "batches are not supported: send one message");
  if (!document.is_object()) throw MessageError(code::invalid_request, "a message is a JSON object");
  const std::string* const version = text_member(document, "jsonrpc");
  if (version == nullptr || *version != "2.0") refuse_message(document, "jsonrpc is \"2.0\"");
  return document.contains("method") ? read_call(document) : read_response(document);
}

Json result_message(const Json& id, Json result) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}};
}

Json error_message(const Json& id, const ProtocolError& error) {
  Json message = {{"jsonrpc", "2.0"}};
  if (!id.is_null()) message["id"] = id;
  message["error"] = error_object(error);
  return message;
}

Json notification_message(std::string_view method, Json params) {
  Json message = {{"jsonrpc", "2.0"}, {"method", method}};
  if (!params.empty()) message["params"] = std::move(params);
  return message;
}

Json request_message(const Json& id, std::string_view method, Json params) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}};
}

std::string id_key(const Json& id) { return compact(id); }
}  // namespace kinetoscope::mcp
