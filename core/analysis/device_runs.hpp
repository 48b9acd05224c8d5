#pragma once

// GPU work apart by step and device: what is measured by itself in efficiency.hpp. O(n log n) for n events.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/ids.hpp"
#include "core/base/interval_set.hpp"
#include "core/analysis/table_input.hpp"

namespace kinetoscope::analysis {

/// Work of one device, in one step or in all.
struct DeviceRun {
  StepId step = no_step;  ///< no_step for work outside of steps, and where steps are not told apart
  std::uint32_t device = 0;
  std::vector<EventId> events;  ///< timed ones, in file order; at least one
  Interval extent;              ///< from the first start to the last end
  friend bool operator==(const DeviceRun&, const DeviceRun&) = default;
};

/// Devices have numbers in their own order. Runs stand by step, no_step last, then by device. `step_of`: by EventId, or
/// empty for one run a device.
[[nodiscard]] std::vector<DeviceRun> device_runs(const TableInput& input, std::span<const StepId> step_of);

/// How long a run's step takes on its device: until its own work ends, or until the next step's begins where that
/// directly follows and begins later. `runs` are all, rising as device_runs() gives them.
[[nodiscard]] std::int64_t step_time_ns(const DeviceRun& run, std::span<const DeviceRun> runs);
}  // namespace kinetoscope::analysis
