#pragma once

// The tools as a server of the protocol: what the protocol layer serves, made of the tool registry.

#include <cstddef>
#include <string>
#include <vector>

#include "core/study/trace_store.hpp"
#include "tools/file_access.hpp"
#include "server/mcp/definition.hpp"

namespace kinetoscope {

struct ToolServerOptions {
  std::vector<std::string> folders{};  ///< whose files clients may name
  std::size_t memory_bytes = 0;        ///< that all traces together may take
  unsigned threads = 2;                ///< of one loading
  bool is_redacted = false;
};

/// What the tools work on, and the definition that calls them. The definition refers to this object.
class ToolServer {
 public:
  explicit ToolServer(const ToolServerOptions& options);
  ToolServer(const ToolServer&) = delete;
  ToolServer& operator=(const ToolServer&) = delete;

  [[nodiscard]] const mcp::Definition& definition() const noexcept { return definition_; }

 private:
  TraceStore traces_;
  tools::FileAccess files_;
  unsigned threads_;
  bool is_redacted_;
  mcp::Definition definition_;
};
}  // namespace kinetoscope
