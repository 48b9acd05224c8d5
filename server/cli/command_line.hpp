#pragma once

// What the user typed, as values. The commands' options stand beside the commands.

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "server/cli/interrupt.hpp"

namespace kinetoscope::cli {

/// Options that every command has.
struct GlobalOptions {
  unsigned threads = 2;
  bool is_strict = false;
  bool shows_progress = false;
  bool is_redacted = false;
};

/// What a command runs with.
struct Session {
  GlobalOptions options;
  std::stop_token stop;
};

struct CommandLine {
  GlobalOptions options;
  std::vector<std::string> inputs;             ///< files that the user named: --redact hides them in failures
  std::string text;                            ///< to print instead of running a command: help, version
  Ending ending{};                             ///< how the command takes a signal
  std::function<int(const Session&)> command;  ///< gives the exit status; empty when `text` is all
};

/// Throws Error usage.
[[nodiscard]] CommandLine parse_command_line(int argc, const char* const* argv);
}  // namespace kinetoscope::cli
