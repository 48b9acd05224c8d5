#include "core/io/file_source.hpp"

#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <system_error>
#include <utility>

#include "core/base/error.hpp"

namespace kinetoscope::io {
namespace {

constexpr int longest_wait_ms = 50;

std::string system_text(int error_number) {
  if (error_number == EISDIR) return "it is a folder";
  return std::generic_category().message(error_number);
}

FileDescriptor open_file(const std::string& name) {
  if (name.empty() || name.find('\0') != std::string::npos) {
    errno = ENOENT;
    return {};
  }
  return FileDescriptor(::open(name.c_str(), O_RDONLY | O_CLOEXEC));
}
}  // namespace

FileSource::FileSource(std::string name, std::shared_ptr<ReadProgress> progress, std::stop_token stop)
    : name_(std::move(name)), progress_(std::move(progress)), stop_(std::move(stop)) {
  if (name_ != "-") {
    opened_ = open_file(name_);
    if (!opened_.is_open()) fail(errno);
    number_ = opened_.number();
  }
  struct stat status = {};
  if (::fstat(number_, &status) != 0) fail(errno);
  if (S_ISDIR(status.st_mode)) fail(EISDIR);
  if (S_ISREG(status.st_mode)) {
    size_bytes_ = static_cast<std::uint64_t>(status.st_size);
    progress_->set_total(*size_bytes_);
    ::posix_fadvise(number_, 0, 0, POSIX_FADV_SEQUENTIAL);
  }
}

std::size_t FileSource::read(std::span<char> into) {
  while (true) {
    if (stop_.stop_requested()) throw Error({.code = ErrorCode::interrupted, .input = name_});
    if (!size_bytes_) wait_for_input();
    const ssize_t count = ::read(number_, into.data(), into.size());
    if (count >= 0) {
      progress_->add_consumed(static_cast<std::uint64_t>(count));
      return static_cast<std::size_t>(count);
    }
    if (errno != EINTR && errno != EAGAIN) fail(errno);
  }
}

void FileSource::wait_for_input() const {
  pollfd waiting = {number_, POLLIN, 0};
  while (::poll(&waiting, 1, longest_wait_ms) <= 0) {
    if (stop_.stop_requested()) throw Error({.code = ErrorCode::interrupted, .input = name_});
  }
}

FileDescriptor FileSource::duplicate() const {
  FileDescriptor other(::fcntl(number_, F_DUPFD_CLOEXEC, 0));
  if (!other.is_open()) fail(errno);
  return other;
}

void FileSource::fail(int error_number) const {
  if (error_number == ENOENT || error_number == ENOTDIR)
    throw Error({.code = ErrorCode::input_not_found, .input = name_});
  throw Error({.code = ErrorCode::input_unreadable, .input = name_, .problem = system_text(error_number)});
}
}  // namespace kinetoscope::io
