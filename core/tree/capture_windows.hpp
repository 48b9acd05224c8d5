#pragma once

// When a thread captured its launches into a graph instead of running them: between the runtime's begin and end of
// stream capture. A capture whose begin was not recorded began before the trace.

#include <vector>

#include "core/base/interval_set.hpp"
#include "core/trace/trace.hpp"
#include "core/tree/runtime_call_table.hpp"

namespace kinetoscope {

class CaptureWindows {
 public:
  /// O(events).
  CaptureWindows(const Trace& trace, const RuntimeCallTable& calls);
  /// The event's thread was capturing when it began. O(log windows).
  [[nodiscard]] bool contains(EventId event) const;
  [[nodiscard]] bool has_any() const noexcept;

 private:
  const Trace& trace_;
  std::vector<IntervalSet> windows_;  // by track
};
}  // namespace kinetoscope
