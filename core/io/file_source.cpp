#include "core/io/file_source.hpp"

#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/format.hpp"
#include "core/io/folder_listing.hpp"

namespace kinetoscope::io {
namespace {

constexpr int longest_wait_ms = 10;

std::string system_text(int error_number) {
  if (error_number == EACCES || error_number == EPERM) return "there is no permission to read it";
  if (error_number == ENXIO) return "it is a socket or a device, not a file";
  return std::generic_category().message(error_number);
}

std::string advice_on(int error_number) {
  if (error_number == EACCES || error_number == EPERM) return "let this user read the file and enter its folders";
  if (error_number == ENAMETOOLONG || error_number == ELOOP) return "check the path";
  if (error_number == ENXIO) return "give a file, a pipe, or - for standard input";
  return "";
}

[[noreturn]] void refuse_folder(const std::string& name) {
  const FolderListing listing = list_traces(name);
  Failure failure{.code = ErrorCode::input_unreadable, .input = name, .problem = "it is a folder"};
  if (listing.traces == 0) {
    failure.accepted = "no file in it is named like a trace (.json, .json.gz, .json.zst, .json.zip)";
    failure.next = "name the file that the profiler wrote";
    throw Error(std::move(failure));
  }
  failure.accepted = listing.traces == 1 ? "one file in it is named like a trace:"
                                         : std::to_string(listing.traces) + " files in it are named like traces:";
  for (const std::string& file : listing.first) {
    failure.accepted += (file == listing.first.front() ? " " : ", ") + in_quotes(file);
  }
  if (listing.traces > listing.first.size()) failure.accepted += ", …";
  failure.next = "name files instead of the folder";
  throw Error(std::move(failure));
}

/// A trace that is typed or pasted into a terminal is read; other devices are no traces, and some never end.
bool is_device(int number, mode_t mode) noexcept { return S_ISBLK(mode) || (S_ISCHR(mode) && ::isatty(number) != 1); }

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
  if (S_ISDIR(status.st_mode)) refuse_folder(name_);
  if (name_ != "-" && is_device(number_, status.st_mode)) fail(ENXIO);
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
  throw Error({.code = ErrorCode::input_unreadable,
               .input = name_,
               .problem = system_text(error_number),
               .next = advice_on(error_number)});
}
}  // namespace kinetoscope::io
