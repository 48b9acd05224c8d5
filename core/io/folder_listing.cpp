#include "core/io/folder_listing.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/base/same_text.hpp"

namespace kinetoscope::io {
namespace {

constexpr std::array<std::string_view, 4> endings = {".json", ".json.gz", ".json.zst", ".json.zip"};

/// Keeps the least names, in order.
void keep(std::vector<std::string>& least, std::string name) {
  least.insert(std::ranges::upper_bound(least, name), std::move(name));
  if (least.size() > most_listed_files) least.pop_back();
}
}  // namespace

bool is_named_like_trace(std::string_view name) noexcept {
  if (name.starts_with('.')) return false;
  return std::ranges::any_of(endings, [&](std::string_view ending) { return ends_with_ignoring_case(name, ending); });
}

FolderListing list_traces(const std::string& folder) {
  FolderListing listing;
  std::error_code failure;
  std::filesystem::directory_iterator entry(folder, failure);
  for (; !failure && entry != std::filesystem::directory_iterator(); entry.increment(failure)) {
    std::string name = entry->path().filename().string();
    std::error_code unknown_kind;
    if (!is_named_like_trace(name) || entry->is_directory(unknown_kind)) continue;
    ++listing.traces;
    keep(listing.first, std::move(name));
  }
  return listing;
}
}  // namespace kinetoscope::io
