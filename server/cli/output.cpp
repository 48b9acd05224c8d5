#include "server/cli/output.hpp"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>
#include <unistd.h>

#include "core/base/error.hpp"

namespace kinetoscope::cli {
namespace {

/// 0, or the system's error number.
int write_all(int descriptor, std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return 0;
}

std::string_view environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}
}  // namespace

void write_output(std::string_view text) {
  const int error_number = write_all(STDOUT_FILENO, text);
  if (error_number == 0) return;
  throw Error({.code = ErrorCode::output_not_writable,
               .argument = "standard output",
               .problem = error_number == EPIPE ? "its reader has gone" : std::generic_category().message(error_number),
               .next = error_number == EPIPE ? "let the reader read to the end" : ""});
}

bool wants_colour() {
  return ::isatty(STDOUT_FILENO) == 1 && environment("NO_COLOR").empty() && environment("TERM") != "dumb";
}

void write_error_line(std::string_view line) noexcept {
  static_cast<void>(write_all(STDERR_FILENO, line));
  static_cast<void>(write_all(STDERR_FILENO, "\n"));
}
}  // namespace kinetoscope::cli
