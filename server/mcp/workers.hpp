#pragma once

// Threads that run handlers, so that whoever reads messages never waits for one. Begins with none and grows as far as
// it must, up to a limit; what comes beyond waits its turn, first come, first served.

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace kinetoscope::mcp {

class Workers {
 public:
  explicit Workers(std::size_t most_threads) : most_threads_(most_threads) {}
  /// Waits for the work that is running; what waits its turn is dropped.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// `work` lets no exception out.
  void run(std::function<void()> work);
  /// Waits until nothing runs and nothing waits; false where that takes longer.
  [[nodiscard]] bool wait_until_idle(std::chrono::milliseconds longest);
  [[nodiscard]] std::size_t busy();

 private:
  void work_until_ended();

  std::size_t most_threads_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;  // guarded by mutex_
  std::vector<std::jthread> threads_;          // guarded by mutex_
  std::size_t busy_ = 0;                       // guarded by mutex_
  bool is_ending_ = false;                     // guarded by mutex_
};
}  // namespace kinetoscope::mcp
