#include "server/mcp/line_writer.hpp"

#include <algorithm>
#include <cerrno>
#include <poll.h>
#include <string>
#include <unistd.h>

#include <climits>

namespace kinetoscope::mcp {

void LineWriter::write(const Json& message) {
  const std::string line = compact(message) + "\n";
  {
    const std::lock_guard lock(mutex_);
    if (is_broken_ || write_all(line)) return;
    is_broken_ = true;
  }
  on_broken_();
}

bool LineWriter::write_all(std::string_view text) const {
  while (!text.empty()) {
    if (!give_up_->wait_for(descriptor_, POLLOUT)) return false;
    // A pipe that is ready takes this much without waiting, so that a reader who never reads blocks nobody for ever.
    const ssize_t count = ::write(descriptor_, text.data(), std::min<std::size_t>(text.size(), PIPE_BUF));
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}
}  // namespace kinetoscope::mcp
