#pragma once

// The protocol over two descriptors, a line a message: what a client that starts the server as its child speaks.
// Requests that describe themselves and those after a handshake may come in any mixture.

#include <cstddef>
#include <stop_token>

#include "server/mcp/protocol.hpp"

namespace kinetoscope::mcp {

struct StdioOptions {
  int input = 0;
  int output = 1;
  std::stop_token stop{};
  std::size_t longest_line_bytes = std::size_t{16} << 20;
};

/// Serves until the input ends, the reader of the output has gone, or the stop comes; then what runs is cancelled,
/// after the end of the input not before it had a moment to end by itself. Takes less than a second for that. False
/// when something does not end by then: the process is to end at once, for threads still use the protocol. The process
/// ignores SIGPIPE.
[[nodiscard]] bool serve_stdio(Protocol& protocol, const StdioOptions& options);
}  // namespace kinetoscope::mcp
