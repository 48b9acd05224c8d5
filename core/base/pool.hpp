#pragma once

// Things that are dear to make, handed from thread to thread and back: buffers whose pages are warm. Safe from any
// thread.

#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace kinetoscope {

template <typename T>
class Pool {
 public:
  explicit Pool(std::size_t most_kept) : most_kept_(most_kept) {}
  [[nodiscard]] std::optional<T> take() {
    const std::lock_guard lock(mutex_);
    if (kept_.empty()) return {};
    std::optional<T> thing(std::move(kept_.back()));
    kept_.pop_back();
    return thing;
  }
  /// What is beyond the number that is kept is destroyed.
  void give(T thing) {
    const std::lock_guard lock(mutex_);
    if (kept_.size() < most_kept_) kept_.push_back(std::move(thing));
  }

 private:
  std::mutex mutex_;
  std::vector<T> kept_;  // guarded by mutex_
  std::size_t most_kept_;
};
}  // namespace kinetoscope
