#pragma once

// The one owner of standard output: results of commands. A reader that has gone and a full disk are Errors, never
// signals or silence.

#include <string_view>

namespace kinetoscope::cli {

/// Writes all of `text` to standard output. Error output_not_writable.
void write_output(std::string_view text);
/// Standard output is a terminal, NO_COLOR is unset or empty, and TERM is not "dumb".
[[nodiscard]] bool wants_colour();
/// Writes a line to standard error, as far as that is possible.
void write_error_line(std::string_view line) noexcept;
}  // namespace kinetoscope::cli
