#pragma once

// Which steps of a trace may be analysed and compared: complete ones with GPU work, and among them the longest run of
// steps of one kind and like length, the steady state. The length of a step is the longer of its time on the host and
// its GPU work, durations added up.
// Cost: O(n + s log s) for n GPU events in s steps.

#include <cstdint>
#include <optional>

#include "core/trace/trace.hpp"
#include "core/tree/steps.hpp"

namespace kinetoscope::analysis {

/// From first to last step, both included.
struct StepRun {
  StepId first{};
  StepId last{};
  [[nodiscard]] std::size_t count() const noexcept { return index_of(last) - index_of(first) + 1; }
  friend bool operator==(const StepRun&, const StepRun&) = default;
};

struct StepWindows {
  std::size_t steps = 0;
  std::size_t with_gpu_work = 0;  ///< of them, those that launched timed GPU work
  std::size_t expected_idle = 0;  ///< of them, those that say they serve no request
  std::size_t cut = 0;            ///< that the recording may have cut
  std::size_t warm_up = 0;        ///< at the beginning, much longer than the median of their kind
  std::optional<StepRun> steady;  ///< the longest run of at least three steps of one kind and like length
  std::optional<StepRun>
      usable;  ///< the longest run of complete steps with GPU work; the steady one where there is one
  friend bool operator==(const StepWindows&, const StepWindows&) = default;
};

/// Steps that launched `excluded` are not usable; no_event excludes none.
[[nodiscard]] StepWindows find_step_windows(const Trace& trace, const Steps& steps, EventId excluded);
}  // namespace kinetoscope::analysis
