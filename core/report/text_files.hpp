#pragma once

// Several texts as files of one folder, all of them at once or none: figures and results beside one another. Files of
// those names are replaced; all else stays, but for half-written files of runs that were killed.

#include <span>
#include <stop_token>
#include <string>

namespace kinetoscope::report {

struct TextFile {
  std::string name;  ///< without a folder
  std::string text;
  friend bool operator==(const TextFile&, const TextFile&) = default;
};

/// The folder is made with its parents when it is not there. Throws Error output_not_writable, naming the path, or
/// interrupted; then everything is as before, unless the error says which files are new.
void write_text_files(const std::string& folder, std::span<const TextFile> files, const std::stop_token& stop = {});
}  // namespace kinetoscope::report
