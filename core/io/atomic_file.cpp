#include "core/io/atomic_file.hpp"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <mutex>
#include <set>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/format.hpp"
#include "core/io/passing_files.hpp"

namespace kinetoscope::io {
namespace {

constexpr std::size_t buffered_bytes = std::size_t{256} * 1024;
constexpr mode_t open_to_umask = 0666;
constexpr int most_attempts = 1000;

/// The passing files that there are. Whoever makes, renames or removes one holds the lock.
struct PartialFiles {
  std::mutex mutex;
  std::set<std::string> paths;  // guarded by mutex
};
PartialFiles& partial_files() {
  static PartialFiles files;
  return files;
}

/// A name that no other file of this or another running process has.
std::string make_passing_path(const std::string& path) {
  static std::atomic<unsigned> serial = 0;
  const std::size_t folder_end = path.rfind('/');
  const std::string folder = folder_end == std::string::npos ? "" : path.substr(0, folder_end + 1);
  return folder + passing_name(serial++);
}

/// A clause for a user who has to know what to trust; file names without their folders.
std::string what_is_new(std::span<const std::unique_ptr<AtomicFile>> renamed, std::size_t all) {
  if (renamed.empty()) return "all files are as before";
  if (renamed.size() == all) return "all files of this run are there";
  std::string out = "new are";
  for (const std::unique_ptr<AtomicFile>& file : renamed) {
    const std::string& path = file->path();
    out += (file == renamed.front() ? " " : ", ") + printable(path.substr(path.rfind('/') + 1));
  }
  return out + "; the others are as before";
}
}  // namespace

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)) {
  if (path_.empty() || path_.find('\0') != std::string::npos) fail("it is no file name");
  struct stat status = {};
  if (::stat(path_.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) fail("it exists and is no regular file");
  for (int attempt = 0; attempt < most_attempts && !file_.is_open(); ++attempt) {
    passing_path_ = make_passing_path(path_);
    const std::lock_guard lock(partial_files().mutex);
    file_ = FileDescriptor(::open(passing_path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, open_to_umask));
    if (!file_.is_open() && errno != EEXIST) fail(errno);
    if (!file_.is_open()) continue;
    hold_passing_file(file_.number());
    partial_files().paths.insert(passing_path_);
  }
  if (!file_.is_open()) fail(EEXIST);
}

AtomicFile::~AtomicFile() {
  if (is_committed_) return;
  const std::lock_guard lock(partial_files().mutex);
  ::unlink(passing_path_.c_str());
  partial_files().paths.erase(passing_path_);
}

void AtomicFile::write(std::string_view bytes) {
  buffer_ += bytes;
  if (buffer_.size() >= buffered_bytes) flush();
}

void AtomicFile::commit() {
  close_written();
  const std::lock_guard lock(partial_files().mutex);
  rename_locked();
}

void AtomicFile::close_written() {
  flush();
  if (::close(file_.release()) != 0) fail(errno);
}

void AtomicFile::rename_locked() {
  if (std::rename(passing_path_.c_str(), path_.c_str()) != 0) fail(errno);
  partial_files().paths.erase(passing_path_);
  is_committed_ = true;
}

void AtomicFile::flush() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const ssize_t count = ::write(file_.number(), rest.data(), rest.size());
    if (count < 0 && errno != EINTR) fail(errno);
    if (count > 0) rest.remove_prefix(static_cast<std::size_t>(count));
  }
  buffer_.clear();
}

void AtomicFile::fail(std::string problem) const {
  throw Error(
      {.code = ErrorCode::output_not_writable, .argument = "output", .received = path_, .problem = std::move(problem)});
}

void AtomicFile::fail(int error_number) const { fail(std::generic_category().message(error_number)); }

void commit_together(std::span<const std::unique_ptr<AtomicFile>> files, std::span<const std::string> superseded) {
  for (const std::unique_ptr<AtomicFile>& file : files) file->close_written();
  const std::lock_guard lock(partial_files().mutex);
  for (std::size_t i = 0; i < files.size(); ++i) {
    try {
      files[i]->rename_locked();
    } catch (const Error& error) {
      Failure failure = error.failure();
      failure.accepted = what_is_new(files.first(i), files.size());
      throw Error(std::move(failure));
    }
  }
  for (const std::string& path : superseded) {
    if (::unlink(path.c_str()) == 0 || errno == ENOENT) continue;
    throw Error({.code = ErrorCode::output_not_writable,
                 .argument = "output",
                 .received = path,
                 .problem = "a file of an earlier run cannot be removed: " + std::generic_category().message(errno),
                 .accepted = what_is_new(files, files.size())});
  }
}

void exit_without_partial_files(int status) noexcept {
  PartialFiles& files = partial_files();
  files.mutex.lock();  // kept: nobody makes another one
  for (const std::string& path : files.paths) ::unlink(path.c_str());
  ::_exit(status);
}

void write_file(std::string path, std::string_view bytes) {
  AtomicFile file(std::move(path));
  file.write(bytes);
  file.commit();
}
}  // namespace kinetoscope::io
