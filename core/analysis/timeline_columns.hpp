#pragma once

// The columns of the sheets gpu_timeline, gpu_timeline_by_device and gpu_timeline_by_step.

#include <span>

#include "core/analysis/column.hpp"
#include "core/analysis/timeline_rows.hpp"

namespace kinetoscope::analysis {

[[nodiscard]] std::span<const Column<TimelineRow>> timeline_columns();
[[nodiscard]] std::span<const Column<DeviceTimelineRow>> device_timeline_columns();
[[nodiscard]] std::span<const Column<StepTimelineRow>> step_timeline_columns();
}  // namespace kinetoscope::analysis
