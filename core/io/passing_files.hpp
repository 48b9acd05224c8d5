#pragma once

// The names of half-written files, and the end of those that nobody writes any more: a process that was killed
// (SIGKILL, out of memory) could not remove its own. Whose a file is stands in its name.
//
// A file is taken for abandoned only when it has exactly such a name, is a regular file and no link, the process of its
// name does not exist, and nobody holds the lock that the writer keeps: a process in another container, or on another
// machine with the same folder, is no process here.

#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace kinetoscope::io {

/// ".kinetoscope-4711-0.partial" in process 4711.
[[nodiscard]] std::string passing_name(unsigned serial);
/// Whose file it is; absent when it is not exactly such a name.
[[nodiscard]] std::optional<pid_t> process_of_passing_name(std::string_view name) noexcept;
/// Says to other processes that the file is being written, as long as the descriptor is open.
void hold_passing_file(int descriptor) noexcept;
/// Removes the abandoned files directly in `folder`, as far as that is possible; an empty text is the working folder.
/// O(files in it).
void remove_abandoned_files(const std::string& folder);
}  // namespace kinetoscope::io
