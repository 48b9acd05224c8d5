#pragma once

// The options of the command `tables`, from text to values; what does not fit is told before a trace is read.

#include "server/cli/command_line.hpp"

// NOLINTNEXTLINE(readability-identifier-naming): the name is that of the library
namespace CLI {
class App;
}

namespace kinetoscope::cli {

/// Adds the command to the program. Parsing it sets the line's inputs and command, or throws Error usage or
/// scope_invalid. `line` must outlive the parsing.
void add_tables(CLI::App& app, CommandLine& line);
}  // namespace kinetoscope::cli
