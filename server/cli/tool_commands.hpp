#pragma once

// The commands about tools: `call` runs one as a client of the protocol would, `tools` says what there is.

#include "server/cli/command_line.hpp"

// NOLINTNEXTLINE(readability-identifier-naming): the name is that of the library
namespace CLI {
class App;
}

namespace kinetoscope::cli {

/// Add the commands to the program. `line` must outlive the parsing.
void add_call(CLI::App& app, CommandLine& line);
void add_tools(CLI::App& app, CommandLine& line);
}  // namespace kinetoscope::cli
