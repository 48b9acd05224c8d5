#pragma once

// The command `info`: what each trace holds, which questions it can answer, and what is wrong with it.

#include <string>
#include <vector>

#include "server/cli/command_line.hpp"

namespace kinetoscope::cli {

struct InfoOptions {
  std::vector<std::string> traces;
  bool is_json = false;
};

/// Loads one trace after the other and writes what it found to standard output. Several traces give an array, each
/// element with its place on the common clock. Of those that cannot be read each is told on standard error, and the
/// others are still reported; the exit status is that of the first such failure. Throws Error interrupted and
/// output_not_writable.
int run_info(const InfoOptions& options, const Session& session);
}  // namespace kinetoscope::cli
