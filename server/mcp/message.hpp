#pragma once

// JSON-RPC 2.0 messages: reading one from text, and making those that are sent.

#include <cstdint>
#include <string>
#include <string_view>

#include "server/mcp/json.hpp"
#include "server/mcp/protocol_error.hpp"

namespace kinetoscope::mcp {

/// Deeper arrays and objects are refused: what handles a value may call itself for each level.
inline constexpr int deepest_nesting = 256;
/// An object with more members is refused: they are looked up one by one.
inline constexpr int most_members = 1024;

enum class MessageKind : std::uint8_t { request, notification, response };

struct Message {
  MessageKind kind = MessageKind::request;
  Json id = nullptr;  ///< text or whole number, as it came; null in a notification
  std::string method{};
  Json params = Json::object();
  Json result = nullptr;  ///< of a response that is no error
  Json error = nullptr;   ///< of a response that is one
};

/// Throws MessageError: parse_error for what is not JSON or not UTF-8, invalid_request for JSON that is no message (a
/// batch is none), invalid_params where `params` is no object. Linear in the text.
[[nodiscard]] Message read_message(std::string_view text);

[[nodiscard]] Json result_message(const Json& id, Json result);
/// Without an id where `id` is null.
[[nodiscard]] Json error_message(const Json& id, const ProtocolError& error);
[[nodiscard]] Json notification_message(std::string_view method, Json params);
[[nodiscard]] Json request_message(const Json& id, std::string_view method, Json params);

/// Equal ids have equal keys; 1 and "1" have different ones.
[[nodiscard]] std::string id_key(const Json& id);
}  // namespace kinetoscope::mcp
