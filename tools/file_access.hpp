#pragma once

// Which files a client may name: those below the allowed folders, symbolic links followed first (decision 15).

#include <string>
#include <vector>

namespace kinetoscope::tools {

class FileAccess {
 public:
  /// Folders that are not there are left out: nothing is below them.
  explicit FileAccess(const std::vector<std::string>& folders);
  /// Everything: who types a command may name any file.
  [[nodiscard]] static FileAccess unrestricted();

  /// The path to open, "~" filled in and links followed. Throws Error path_not_allowed, and input_not_found where an
  /// allowed path leads nowhere.
  [[nodiscard]] std::string readable(const std::string& path) const;
  [[nodiscard]] const std::vector<std::string>& folders() const noexcept { return folders_; }

 private:
  std::vector<std::string> folders_;  ///< absolute, without links
};
}  // namespace kinetoscope::tools
