#pragma once

// The sheets gpu_timeline, gpu_timeline_by_device and gpu_timeline_by_step: a timeline as rows, one a figure, over the
// tables' population (decision 4). GPU work without a launch stands in a row of its own at the end.
//
// Each block of rows holds timeline.hpp's invariant for its own work: computation_time + exposed_comm_time +
// exposed_memcpy_time + idle = total_time, exactly. Blocks do not add up: devices and steps overlap in time.
// O(n log n) for n events; rows only where there is work.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/known.hpp"
#include "core/names/spelled.hpp"
#include "core/tree/steps.hpp"
#include "core/analysis/table_input.hpp"
#include "core/analysis/timeline.hpp"

namespace kinetoscope::analysis {

/// In the order of rows. Idle time is one row, or two with TableOptions::micro_idle_ns.
enum class TimelineType : std::uint8_t {
  computation_time,
  exposed_comm_time,
  exposed_memcpy_time,
  busy_time,
  idle_time,
  micro_idle_time,
  macro_idle_time,
  total_time,
  total_comm_time,
  total_memcpy_time,
  unlinked_time,
};
inline constexpr std::array timeline_types = {
    names::Spelled{TimelineType::computation_time, "computation_time"},
    names::Spelled{TimelineType::exposed_comm_time, "exposed_comm_time"},
    names::Spelled{TimelineType::exposed_memcpy_time, "exposed_memcpy_time"},
    names::Spelled{TimelineType::busy_time, "busy_time"},
    names::Spelled{TimelineType::idle_time, "idle_time"},
    names::Spelled{TimelineType::micro_idle_time, "micro_idle_time"},
    names::Spelled{TimelineType::macro_idle_time, "macro_idle_time"},
    names::Spelled{TimelineType::total_time, "total_time"},
    names::Spelled{TimelineType::total_comm_time, "total_comm_time"},
    names::Spelled{TimelineType::total_memcpy_time, "total_memcpy_time"},
    names::Spelled{TimelineType::unlinked_time, "unlinked_time"},
};
static_assert(names::follows_enum(timeline_types, TimelineType::unlinked_time));
[[nodiscard]] constexpr std::string_view spelling_of(TimelineType type) noexcept {
  return timeline_types[static_cast<std::size_t>(type)].spelling;
}

struct TimelineRow {
  TimelineType type = TimelineType::computation_time;
  std::int64_t time_ns = 0;
  Known<double> percent = Reason::not_applicable;           ///< of the block's total_time
  std::optional<bool> is_recompute;                         ///< with detects_recompute; absent in the row unlinked_time
  Known<double> percent_of_whole = Reason::not_applicable;  ///< of the total_time of both blocks together
  friend bool operator==(const TimelineRow&, const TimelineRow&) = default;
};

struct DeviceTimelineRow {
  std::int64_t device = 0;
  TimelineRow part;
  friend bool operator==(const DeviceTimelineRow&, const DeviceTimelineRow&) = default;
};

struct StepTimelineRow {
  StepId step = no_step;
  std::string_view name;  ///< the annotation's; valid as long as the trace
  TimelineRow part;
  friend bool operator==(const StepTimelineRow&, const StepTimelineRow&) = default;
};

struct TimelineTables {
  Timeline whole;                            ///< of the population, recomputed work or not
  std::int64_t unlinked_ns = 0;              ///< how long work without a launch ran, overlaps counted once
  std::vector<TimelineRow> rows;             ///< empty when there is no GPU work in scope
  std::vector<DeviceTimelineRow> by_device;  ///< by device; empty unless work ran on several
  std::vector<StepTimelineRow> by_step;      ///< by step, of the work launched in it; steps without work have none
  friend bool operator==(const TimelineTables&, const TimelineTables&) = default;
};

/// `is_recompute`, by EventId, marks GPU work of recomputed forward passes; asked only with detects_recompute, and
/// events beyond its end are not recomputed. Names stay valid as long as the trace.
[[nodiscard]] TimelineTables timeline_tables(const TableInput& input, std::span<const Step> steps,
                                             const std::vector<bool>& is_recompute);
}  // namespace kinetoscope::analysis
