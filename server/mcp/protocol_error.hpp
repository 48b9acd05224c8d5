#pragma once

// Failures that are answered with a JSON-RPC error, because the asker's program is wrong and not its request's content.
// What a model could mend (a bad argument, a missing file) is no protocol error but a tool result with `isError`.

#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

#include "server/mcp/json.hpp"

namespace kinetoscope::mcp {

/// JSON-RPC's codes and those of the Model Context Protocol.
namespace code {
inline constexpr int parse_error = -32700;
inline constexpr int invalid_request = -32600;
inline constexpr int method_not_found = -32601;
inline constexpr int invalid_params = -32602;
inline constexpr int internal_error = -32603;
inline constexpr int resource_not_found = -32002;  ///< revisions with a handshake only
inline constexpr int header_mismatch = -32020;
inline constexpr int missing_client_capability = -32021;
inline constexpr int unsupported_version = -32022;
}  // namespace code

class ProtocolError : public std::runtime_error {
 public:
  /// `data` is left out of the error where it is null.
  ProtocolError(int code, const std::string& message, Json data = nullptr)
      : std::runtime_error(message), code_(code), data_(std::move(data)) {}

  [[nodiscard]] int code() const noexcept { return code_; }
  [[nodiscard]] const Json& data() const noexcept { return data_; }

 private:
  int code_;
  Json data_;
};

/// A text that is no message. `id()` is the request's, where it could be read: null where not.
class MessageError final : public ProtocolError {
 public:
  MessageError(int code, const std::string& message, Json id = nullptr)
      : ProtocolError(code, message), id_(std::move(id)) {}
  [[nodiscard]] const Json& id() const noexcept { return id_; }

 private:
  Json id_;
};

/// The call was cancelled: nobody waits for its answer, so none is sent.
class Cancelled final : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "cancelled"; }
};

/// The error object of a JSON-RPC answer.
[[nodiscard]] Json error_object(const ProtocolError& error);
}  // namespace kinetoscope::mcp
