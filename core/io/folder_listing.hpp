#pragma once

// What a user may have meant who named a folder where a trace belongs: the files in it that are named like traces.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kinetoscope::io {

/// Enough to recognise the folder by.
inline constexpr std::size_t most_listed_files = 3;

struct FolderListing {
  std::size_t traces = 0;          ///< files directly in the folder that are named like traces
  std::vector<std::string> first;  ///< names of the first of them in the order of their bytes, without the folder
};

/// Ends in .json, or so compressed: .json.gz, .json.zst, .json.zip; case ignored. Hidden files are none.
[[nodiscard]] bool is_named_like_trace(std::string_view name) noexcept;
/// Empty for a folder that cannot be read. O(files in it); folders below are not looked into.
[[nodiscard]] FolderListing list_traces(const std::string& folder);
}  // namespace kinetoscope::io
