#include "server/protocol_output.hpp"

#include <cerrno>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

#include "core/base/error.hpp"

namespace kinetoscope {

io::FileDescriptor take_standard_output() {
  const int kept = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (kept < 0 || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
    throw Error({.code = ErrorCode::output_not_writable,
                 .argument = "standard output",
                 .problem = std::generic_category().message(errno),
                 .next = "start the server with standard output and standard error open"});
  }
  return io::FileDescriptor(kept);
}
}  // namespace kinetoscope
