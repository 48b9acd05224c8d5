#pragma once

// The folder that a run writes its files into, made with its parents where it is not there, and gone again when the run
// fails.

#include <filesystem>
#include <string>
#include <vector>

namespace kinetoscope::io {

class MadeFolder {
 public:
  /// Error output_not_writable, naming the path; nothing is left then.
  explicit MadeFolder(const std::string& path);
  /// Removes the folders that were made, as far as they are empty, unless they are kept.
  ~MadeFolder();
  MadeFolder(const MadeFolder&) = delete;
  MadeFolder& operator=(const MadeFolder&) = delete;
  void keep() noexcept { is_kept_ = true; }

 private:
  [[noreturn]] void undo_and_fail(const std::string& path, std::string problem) const;
  void undo() const noexcept;

  std::vector<std::filesystem::path> made_;  // the deepest first
  bool is_kept_ = false;
};
}  // namespace kinetoscope::io
