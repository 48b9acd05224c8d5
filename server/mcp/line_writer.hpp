#pragma once

// Messages to a descriptor, a line each, whole and in the order of the calls. Safe from any thread.

#include <functional>
#include <mutex>
#include <string_view>
#include <utility>

#include "server/mcp/json.hpp"
#include "server/mcp/wake_up.hpp"

namespace kinetoscope::mcp {

class LineWriter {
 public:
  /// `on_broken` is called once, when a line could not be written, because the reader has gone.
  LineWriter(int descriptor, const WakeUp& give_up, std::function<void()> on_broken)
      : descriptor_(descriptor), give_up_(&give_up), on_broken_(std::move(on_broken)) {}

  /// Waits for a reader that is slow, until the giving up comes; then, and after a failure, nothing is written any
  /// more.
  void write(const Json& message);

 private:
  [[nodiscard]] bool write_all(std::string_view text) const;

  int descriptor_;
  const WakeUp* give_up_;
  std::function<void()> on_broken_;
  std::mutex mutex_;
  bool is_broken_ = false;  // guarded by mutex_
};
}  // namespace kinetoscope::mcp
