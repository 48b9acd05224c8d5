#pragma once

// Ctrl-C, SIGTERM and a terminal that goes: a request to stop, which loading asks for between windows and the making of
// tables every few thousand events, and an end for certain. A thread of its own waits for the signals, so it does not
// matter which call the program is in; whatever has not ended 30 ms after the request is ended with the exit status
// 130, its half-written files removed. The rest of the promised 100 ms is the system's: to wake the thread on a busy
// machine, and to take the memory of a large trace back. A server has more patience, and no failure to report (Ending).

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

namespace kinetoscope::cli {

inline constexpr int interrupted_status = 130;

/// What becomes of a program that is asked to end.
struct Ending {
  std::chrono::milliseconds patience{30};  ///< for whatever runs to end by itself
  int status = interrupted_status;         ///< when it does not
};

class Interrupt {
 public:
  /// One a program, made before any other thread: it blocks the signals for this thread and those made after.
  explicit Interrupt(Ending ending);
  /// Ends the waiting; the signals stay blocked.
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  [[nodiscard]] std::stop_token token() const noexcept { return stop_.get_token(); }

 private:
  void wait_for_signals();

  Ending ending_;
  std::stop_source stop_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool is_ending_ = false;  // guarded by mutex_
  std::thread waiter_;      // last: it uses the others
};
}  // namespace kinetoscope::cli
