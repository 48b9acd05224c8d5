#pragma once

// A line on standard error while a long load runs: percent, events, speed. It shows after half a second, only on a
// terminal or when asked for, and is gone at the end.

#include <chrono>
#include <string>

#include "core/study/study.hpp"

namespace kinetoscope::cli {

class ProgressLine {
 public:
  /// `is_asked_for`: also where standard error is no terminal; then a line is written now and then instead of
  /// rewritten.
  ProgressLine(std::string input_name, bool is_asked_for);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// At most ten lines a second are written, however often it is called.
  void show(const LoadProgress& progress);

 private:
  using Clock = std::chrono::steady_clock;
  std::string name_;
  bool is_terminal_;
  bool is_shown_;  // at all
  bool is_dirty_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_;
};

/// "trace.json.gz: 42 % of 9.7 MB, 120,000 events, 310.0 MB/s"
[[nodiscard]] std::string progress_text(std::string_view name, const LoadProgress& progress, double seconds);
}  // namespace kinetoscope::cli
