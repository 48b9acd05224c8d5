#pragma once

// The command `platforms`: the known GPUs, what they can do at most, and where the figures are from.

#include "server/cli/command_line.hpp"

namespace kinetoscope::cli {

struct PlatformsOptions {
  bool is_json = false;
};

/// Writes the table to standard output. Throws Error output_not_writable.
int run_platforms(const PlatformsOptions& options);
}  // namespace kinetoscope::cli
