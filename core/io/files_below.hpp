#pragma once

// The files below a folder whose names end as asked, in an order that does not depend on the file system. Symbolic
// links are not followed, so nothing outside of the folder is named; pipes and devices are not listed. What is not
// looked into is counted. Cost: O(entries of the folders, log for the order).

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kinetoscope::io {

struct WalkLimits {
  std::size_t most_depth = 8;          ///< folders inside one another; deeper ones are left out
  std::size_t most_entries = 500'000;  ///< of all folders together
};

/// What was not looked at, and the first of it in the order of bytes.
struct LeftOut {
  std::uint64_t count = 0;
  std::string first{};
  void add(const std::string& name) {
    if (count++ == 0 || name < first) first = name;
  }
  friend bool operator==(const LeftOut&, const LeftOut&) = default;
};

struct FilesBelow {
  std::vector<std::string> files;  ///< relative to the folder, in the order of their bytes
  LeftOut left_out;                ///< symbolic links that end so or lead to folders, folders too deep or unreadable
};

/// `folder` itself may be a link. Throws Error: input_not_found, input_unreadable of what is no folder or cannot be
/// listed, limit_reached of more entries.
[[nodiscard]] FilesBelow files_below(const std::string& folder, std::string_view ending, const WalkLimits& limits = {});
}  // namespace kinetoscope::io
