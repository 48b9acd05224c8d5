#pragma once

// How a failure is told on the command line: one line on standard error, and an exit status.

#include <span>
#include <string>

#include "core/base/error.hpp"

namespace kinetoscope::cli {

/// Writes the line and gives the exit status. `inputs`: what the user named, hidden when `is_redacted`; so are the
/// names of files that the user did not name.
int report_failure(const Error& error, std::span<const std::string> inputs, bool is_redacted);
}  // namespace kinetoscope::cli
