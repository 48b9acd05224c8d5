#pragma once

// The command `mcp`: the server, over standard input and output.

#include "server/cli/command_line.hpp"

// NOLINTNEXTLINE(readability-identifier-naming): the name is that of the library
namespace CLI {
class App;
}

namespace kinetoscope::cli {

/// Adds the command to the program. `line` must outlive the parsing.
void add_mcp(CLI::App& app, CommandLine& line);
}  // namespace kinetoscope::cli
