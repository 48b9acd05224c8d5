#include "core/io/made_folder.hpp"

#include <system_error>
#include <utility>

#include "core/base/error.hpp"

namespace kinetoscope::io {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_folder(const std::string& path, std::string problem) {
  throw Error(
      {.code = ErrorCode::output_not_writable, .argument = "output", .received = path, .problem = std::move(problem)});
}
}  // namespace

MadeFolder::MadeFolder(const std::string& path) {
  if (path.empty() || path.find('\0') != std::string::npos) fail_folder(path, "it is no folder name");
  std::error_code failure;
  fs::path missing = fs::path(path).lexically_normal();
  if (!missing.has_filename()) missing = missing.parent_path();  // "out/"
  for (; !missing.empty() && !fs::exists(fs::symlink_status(missing, failure)); missing = missing.parent_path()) {
    made_.push_back(missing);
  }
  fs::create_directories(path, failure);
  if (failure) undo_and_fail(path, failure.message());
  if (!fs::is_directory(path, failure)) undo_and_fail(path, "it exists and is no folder");
}

MadeFolder::~MadeFolder() {
  if (!is_kept_) undo();
}

void MadeFolder::undo_and_fail(const std::string& path, std::string problem) const {
  undo();
  fail_folder(path, std::move(problem));
}

void MadeFolder::undo() const noexcept {
  std::error_code ignored;
  for (const fs::path& folder : made_) fs::remove(folder, ignored);  // only when it is empty
}
}  // namespace kinetoscope::io
