#pragma once

// A server that a client started as its child ends with the client, even where the client was killed and left the
// pipes open to others.

#include <functional>
#include <thread>

namespace kinetoscope {

class ParentWatch {
 public:
  /// Calls `on_gone`, once, within a second after this process has lost the parent that it has now.
  explicit ParentWatch(std::function<void()> on_gone);

 private:
  std::jthread watcher_;
};
}  // namespace kinetoscope
