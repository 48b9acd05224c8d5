#pragma once

// The program run as users run it, from tests: its outputs, its exit status, signals sent to it. It stands beside the
// test's own executable.

#include <chrono>
#include <string>
#include <vector>

namespace kinetoscope {

struct ProgramRun {
  int status = -1;  ///< the exit status; 128 and the signal's number when a signal ended it
  std::string output;
  std::string errors;
};

/// Runs it to its end. `output_path`: where standard output goes instead of into the result.
[[nodiscard]] ProgramRun run_program(std::vector<std::string> arguments, const std::string& output_path = "");
/// The same with a standard output whose reader has gone.
[[nodiscard]] ProgramRun run_program_without_reader(std::vector<std::string> arguments);

/// A program that is running; ended by force with this object.
class RunningProgram {
 public:
  /// `standard_input`: a descriptor for its standard input, which stays the caller's; -1 for nothing.
  explicit RunningProgram(std::vector<std::string> arguments, int standard_input = -1);
  ~RunningProgram();
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;

  [[nodiscard]] int process() const noexcept { return process_; }
  /// Waits until it has begun to wait for signals, which it does in a second thread.
  void wait_for_second_thread() const;
  void send(int signal) const;
  /// Waits for its end; the exit status as in ProgramRun.
  int wait();

 private:
  int process_ = -1;
  bool has_ended_ = false;
};
}  // namespace kinetoscope
