#pragma once

// A stop request that wakes a poll(): a descriptor that becomes readable when it is made, and stays so.

#include <stop_token>

namespace kinetoscope::mcp {

class WakeUp {
 public:
  /// Throws std::system_error where the system gives no descriptor.
  explicit WakeUp(std::stop_token stop);
  ~WakeUp();
  WakeUp(const WakeUp&) = delete;
  WakeUp& operator=(const WakeUp&) = delete;

  /// Waits until `descriptor` is ready for `events` (POLLIN, POLLOUT), or has failed, or is at its end. False when the
  /// stop came first.
  [[nodiscard]] bool wait_for(int descriptor, short events) const;

 private:
  struct Ring {
    int descriptor;
    void operator()() const noexcept;
  };

  int descriptor_;
  std::stop_callback<Ring> callback_;
};
}  // namespace kinetoscope::mcp
