#include "core/io/passing_files.hpp"

#include <cerrno>
#include <charconv>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "core/io/file_descriptor.hpp"

namespace kinetoscope::io {
namespace {

constexpr std::string_view passing_beginning = ".kinetoscope-";
constexpr std::string_view between = "-";
constexpr std::string_view ending = ".partial";

bool take_part(std::string_view& text, std::string_view part) noexcept {
  if (!text.starts_with(part)) return false;
  text.remove_prefix(part.size());
  return true;
}

/// As std::to_string writes it: digits alone, no needless zero.
template <typename Number>
std::optional<Number> take_number(std::string_view& text) noexcept {
  Number number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto length = static_cast<std::size_t>(end - text.data());
  const bool has_other_form = text.starts_with('-') || (text.starts_with('0') && length > 1);
  if (failure != std::errc() || has_other_form) return {};
  text.remove_prefix(length);
  return number;
}

bool is_gone(pid_t process) noexcept { return ::kill(process, 0) != 0 && errno == ESRCH; }

/// A file system without locks leaves the decision to the process number alone.
bool is_held(int descriptor) noexcept { return ::flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK; }

void remove_if_abandoned(const std::filesystem::path& path) {
  const auto process = process_of_passing_name(path.filename().native());
  if (!process || !is_gone(*process)) return;
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status = {};
  if (!file.is_open() || ::fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode)) return;
  if (!is_held(file.number())) ::unlink(path.c_str());
}
}  // namespace

std::string passing_name(unsigned serial) {
  std::string name(passing_beginning);
  name += std::to_string(::getpid());
  name += between;
  name += std::to_string(serial);
  name += ending;
  return name;
}

std::optional<pid_t> process_of_passing_name(std::string_view name) noexcept {
  if (!take_part(name, passing_beginning)) return {};
  const std::optional<pid_t> process = take_number<pid_t>(name);
  if (!process || *process == 0 || !take_part(name, between)) return {};  // 0 would be this process's group
  if (!take_number<unsigned>(name) || name != ending) return {};
  return process;
}

void hold_passing_file(int descriptor) noexcept { ::flock(descriptor, LOCK_EX | LOCK_NB); }

void remove_abandoned_files(const std::string& folder) {
  std::error_code failure;
  std::filesystem::directory_iterator entry(folder.empty() ? "." : folder, failure);
  for (; !failure && entry != std::filesystem::directory_iterator(); entry.increment(failure)) {
    remove_if_abandoned(entry->path());
  }
}
}  // namespace kinetoscope::io
