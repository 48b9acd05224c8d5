#include "core/io/files_below.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "core/base/error.hpp"

namespace kinetoscope::io {
namespace {

struct FolderBelow {
  std::string name;  // relative; empty for the first
  std::size_t depth = 0;
};

[[noreturn]] void fail_walk(const std::string& folder, const std::error_code& failure) {
  if (failure == std::errc::no_such_file_or_directory) {
    throw Error({.code = ErrorCode::input_not_found, .input = folder, .problem = "there is no such folder"});
  }
  if (failure == std::errc::not_a_directory) {
    throw Error({.code = ErrorCode::input_unreadable,
                 .input = folder,
                 .problem = "it is no folder",
                 .next = "name the folder that the files are in"});
  }
  throw Error({.code = ErrorCode::input_unreadable,
               .input = folder,
               .problem = failure.message(),
               .next = "let this user read and enter the folder"});
}

class FolderWalk {
 public:
  FolderWalk(const std::string& folder, std::string_view ending, const WalkLimits& limits)
      : folder_(folder), ending_(ending), limits_(limits) {}

  [[nodiscard]] FilesBelow walk() {
    if (folder_.empty() || folder_.find('\0') != std::string::npos) {
      fail_walk(folder_, std::make_error_code(std::errc::no_such_file_or_directory));
    }
    open_folders_.push_back({});
    while (!open_folders_.empty()) {
      const FolderBelow next = std::move(open_folders_.back());
      open_folders_.pop_back();
      list(next);
    }
    std::ranges::sort(found_.files);
    return std::move(found_);
  }

 private:
  void list(const FolderBelow& below) {
    std::error_code failure;
    std::filesystem::directory_iterator entry(std::filesystem::path(folder_) / below.name, failure);
    for (; !failure && entry != std::filesystem::directory_iterator(); entry.increment(failure)) {
      if (++entries_ > limits_.most_entries) {
        throw Error({.code = ErrorCode::limit_reached,
                     .input = folder_,
                     .problem = fmt::format("it has more than {} entries", limits_.most_entries),
                     .next = "name a folder inside it"});
      }
      add(*entry, below);
    }
    if (!failure) return;
    if (below.name.empty()) fail_walk(folder_, failure);
    found_.left_out.add(below.name);
  }

  void add(const std::filesystem::directory_entry& entry, const FolderBelow& below) {
    const std::string own_name = entry.path().filename().string();
    const std::string name = below.name.empty() ? own_name : below.name + "/" + own_name;
    std::error_code failure;
    const std::filesystem::file_status status = entry.symlink_status(failure);
    if (std::filesystem::is_directory(status)) {
      if (below.depth + 1 > limits_.most_depth) {
        found_.left_out.add(name);
      } else {
        open_folders_.push_back({name, below.depth + 1});
      }
    } else if (std::filesystem::is_symlink(status)) {
      if (own_name.ends_with(ending_) || entry.is_directory(failure)) found_.left_out.add(name);
    } else if (std::filesystem::is_regular_file(status) && own_name.ends_with(ending_)) {
      found_.files.push_back(name);
    }
  }

  const std::string& folder_;
  std::string_view ending_;
  WalkLimits limits_;
  std::size_t entries_ = 0;
  std::vector<FolderBelow> open_folders_;
  FilesBelow found_;
};
}  // namespace

FilesBelow files_below(const std::string& folder, std::string_view ending, const WalkLimits& limits) {
  return FolderWalk(folder, ending, limits).walk();
}
}  // namespace kinetoscope::io
