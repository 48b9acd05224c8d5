#include "server/cli/mcp.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <stop_token>
#include <string>
#include <unistd.h>
#include <vector>

#include <CLI/CLI.hpp>

#include "core/io/atomic_file.hpp"
#include "server/mcp/changes.hpp"
#include "server/mcp/protocol.hpp"
#include "server/mcp/stdio_server.hpp"
#include "server/parent_watch.hpp"
#include "server/protocol_output.hpp"
#include "server/tool_server.hpp"

namespace kinetoscope::cli {
namespace {

/// A server that is told to end has not failed; what it runs gets most of a second.
constexpr Ending server_ending = {std::chrono::milliseconds(900), 0};

struct McpOptions {
  std::vector<std::string> allowed{};
  std::size_t memory_bytes = 0;
};

std::size_t half_of_memory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page_bytes = ::sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_bytes <= 0) return std::size_t{4} << 30;
  return static_cast<std::size_t>(pages) * static_cast<std::size_t>(page_bytes) / 2;
}

int run_mcp(const McpOptions& options, const Session& session) {
  const io::FileDescriptor output = take_standard_output();
  std::stop_source stop;
  const std::stop_callback on_signal(session.stop, [&stop] { stop.request_stop(); });
  const ParentWatch watch([&stop] { stop.request_stop(); });
  std::vector<std::string> folders = options.allowed;
  folders.emplace_back(".");
  ToolServer server({.folders = folders,
                     .memory_bytes = options.memory_bytes,
                     .threads = session.options.threads,
                     .is_redacted = session.options.is_redacted});
  mcp::Changes changes;
  mcp::Protocol protocol(server.definition(), changes);
  const bool has_ended =
      mcp::serve_stdio(protocol, {.input = STDIN_FILENO, .output = output.number(), .stop = stop.get_token()});
  // Threads that did not end still use what would be destroyed now.
  if (!has_ended) io::exit_without_partial_files(server_ending.status);
  return 0;
}
}  // namespace

void add_mcp(CLI::App& app, CommandLine& line) {
  CLI::App* const command =
      app.add_subcommand("mcp", "The server of the Model Context Protocol, over standard input and output");
  const auto options = std::make_shared<McpOptions>();
  options->memory_bytes = half_of_memory();
  command
      ->add_option("--allow", options->allowed,
                   "Folder whose traces clients may load, beside the one that the server is started in; repeatable")
      ->type_name("DIR");
  command
      ->add_option("--memory", options->memory_bytes,
                   "What all loaded traces together may take, such as 8GB; half of the machine's by default")
      ->transform(CLI::AsSizeValue(false))
      ->type_name("SIZE");
  command->footer(
      "Clients start it: see \"Connect a client\" in README.md. It speaks the revisions 2024-11-05 to 2026-07-28, and "
      "ends\nwith its standard input. Only the protocol is written to standard output.");
  command->callback([&line, options] {
    line.ending = server_ending;
    line.command = [options](const Session& session) { return run_mcp(*options, session); };
  });
}
}  // namespace kinetoscope::cli
