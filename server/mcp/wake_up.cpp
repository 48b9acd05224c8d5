#include "server/mcp/wake_up.hpp"

#include <array>
#include <cerrno>
#include <cstdint>
#include <poll.h>
#include <sys/eventfd.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace kinetoscope::mcp {
namespace {

int made_event() {
  const int descriptor = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (descriptor < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
  return descriptor;
}
}  // namespace

WakeUp::WakeUp(std::stop_token stop) : descriptor_(made_event()), callback_(std::move(stop), Ring{descriptor_}) {}

WakeUp::~WakeUp() { ::close(descriptor_); }

void WakeUp::Ring::operator()() const noexcept {
  const std::uint64_t one = 1;
  static_cast<void>(::write(descriptor, &one, sizeof one));
}

bool WakeUp::wait_for(int descriptor, short events) const {
  std::array<pollfd, 2> waited = {{{descriptor, events, 0}, {descriptor_, POLLIN, 0}}};
  while (true) {
    const int ready = ::poll(waited.data(), waited.size(), -1);
    if (ready < 0 && errno == EINTR) continue;
    if (ready < 0 || waited[1].revents != 0) return false;
    return true;
  }
}
}  // namespace kinetoscope::mcp
