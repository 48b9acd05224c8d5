#include "tools/file_access.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "core/base/error.hpp"
#include "core/base/format.hpp"

namespace kinetoscope::tools {
namespace {

namespace fs = std::filesystem;

fs::path with_home(const std::string& path) {
  const char* const home = std::getenv("HOME");
  const bool is_below_home = path == "~" || path.starts_with("~/");
  if (home == nullptr || !is_below_home) return path;
  return fs::path(home) / path.substr(std::min<std::size_t>(path.size(), 2));
}

bool is_below(const fs::path& path, const fs::path& folder) {
  const auto [left, rest] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return left == folder.end() || (std::next(left) == folder.end() && left->empty());
}

std::string named(const std::vector<std::string>& folders) {
  std::string text;
  for (const std::string& folder : folders) text += (text.empty() ? "" : ", ") + printable(folder, 200);
  return text.empty() ? "no folder is allowed" : "allowed are files below " + text;
}
}  // namespace

FileAccess::FileAccess(const std::vector<std::string>& folders) {
  for (const std::string& folder : folders) {
    std::error_code failure;
    const fs::path real = fs::canonical(with_home(folder), failure);
    if (!failure) folders_.push_back(real.string());
  }
}

FileAccess FileAccess::unrestricted() { return FileAccess({"/"}); }

std::string FileAccess::readable(const std::string& path) const {
  std::error_code failure;
  const fs::path absolute = fs::absolute(with_home(path), failure);
  const fs::path real = fs::weakly_canonical(absolute, failure);
  const bool is_allowed =
      !failure && std::ranges::any_of(folders_, [&](const std::string& folder) { return is_below(real, folder); });
  if (!is_allowed) {
    throw Error({.code = ErrorCode::path_not_allowed,
                 .argument = "path",
                 .received = path,
                 .problem = "the path is outside of the folders that may be read",
                 .accepted = named(folders_),
                 .next = "move the trace there, or start the server with --allow and its folder"});
  }
  if (!fs::exists(real, failure)) {
    throw Error({.code = ErrorCode::input_not_found,
                 .argument = "path",
                 .received = path,
                 .problem = "there is no such file",
                 .next = "give the absolute path of a trace"});
  }
  return real.string();
}
}  // namespace kinetoscope::tools
