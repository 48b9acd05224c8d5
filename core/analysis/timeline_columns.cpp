#include "core/analysis/timeline_columns.hpp"

#include <array>
#include <string>

namespace kinetoscope::analysis {
namespace {

constexpr std::string_view type_meaning =
    "What the row counts, over the tables' population: GPU work with a recorded launch, or all GPU work with "
    "--include-unlinked and in a trace without launches. computation_time: kernels that neither communicate nor copy, "
    "and fills; exposed_comm_time: communication while nothing computes; exposed_memcpy_time: copies while nothing "
    "computes or communicates; busy_time: the three together; idle_time: the rest of total_time, or micro_idle_time "
    "and macro_idle_time by the length of the gap; total_time: first start to last end; total_comm_time and "
    "total_memcpy_time: hidden or not; unlinked_time: GPU work without a recorded launch, which is in the other rows "
    "only with --include-unlinked.";
constexpr std::string_view time_meaning =
    "How long such work ran on any stream, time in which several run counted once. unlinked_time counts time in which "
    "other work ran, too.";
constexpr std::string_view percent_meaning =
    "Time as a share of the block's total_time. Missing where that is 0, and for unlinked_time where some of it ran "
    "before the first start or after the last end of total_time.";
constexpr std::string_view block_time_meaning =
    "How long such work of the block ran, time in which several run counted once.";
constexpr std::string_view block_percent_meaning =
    "Time as a share of the block's own total_time. Missing where that is 0.";

Cell type_cell(const TimelineRow& row) { return std::string(spelling_of(row.type)); }

constexpr std::array whole_columns = {
    Column<TimelineRow>{"type", "", type_meaning, type_cell},
    Column<TimelineRow>{"time ms", "ms", time_meaning,
                        [](const TimelineRow& row) -> Cell { return milliseconds(row.time_ns); }},
    Column<TimelineRow>{"percent", "%", percent_meaning, [](const TimelineRow& row) { return cell_of(row.percent); }},
    Column<TimelineRow>{
        "is_recompute", "",
        "Whether the block is over recomputed forward work or over all other work. Each block has its own span. "
        "Missing for unlinked_time.",
        [](const TimelineRow& row) { return row.is_recompute ? Cell(*row.is_recompute) : Cell(); }, detects_recompute},
    Column<TimelineRow>{"percent of whole", "%",
                        "Time as a share of the total_time of both blocks together. Missing where that is 0, and for "
                        "unlinked_time where percent is.",
                        [](const TimelineRow& row) { return cell_of(row.percent_of_whole); }, detects_recompute},
};

using DeviceRow = DeviceTimelineRow;
constexpr std::array device_columns = {
    Column<DeviceRow>{"device", "", "The device whose GPU work of the tables' population the block is over.",
                      [](const DeviceRow& row) -> Cell { return row.device; }},
    Column<DeviceRow>{"type", "", "What the row counts, as in gpu_timeline.",
                      [](const DeviceRow& row) { return type_cell(row.part); }},
    Column<DeviceRow>{"time ms", "ms", block_time_meaning,
                      [](const DeviceRow& row) -> Cell { return milliseconds(row.part.time_ns); }},
    Column<DeviceRow>{"percent", "%", block_percent_meaning,
                      [](const DeviceRow& row) { return cell_of(row.part.percent); }},
};

using StepRow = StepTimelineRow;
constexpr std::array step_columns = {
    Column<StepRow>{"step", "",
                    "The step's number in order of time, from 0. Steps that launched no GPU work are absent.",
                    [](const StepRow& row) -> Cell { return static_cast<std::int64_t>(index_of(row.step)); }},
    Column<StepRow>{"step name", "", "The annotation that marks the step.",
                    [](const StepRow& row) -> Cell { return std::string(row.name); }},
    Column<StepRow>{"type", "", "What the row counts, as in gpu_timeline, over GPU work launched in the step.",
                    [](const StepRow& row) { return type_cell(row.part); }},
    Column<StepRow>{"time ms", "ms", block_time_meaning,
                    [](const StepRow& row) -> Cell { return milliseconds(row.part.time_ns); }},
    Column<StepRow>{"percent", "%", block_percent_meaning,
                    [](const StepRow& row) { return cell_of(row.part.percent); }},
};
}  // namespace

std::span<const Column<TimelineRow>> timeline_columns() { return whole_columns; }
std::span<const Column<DeviceTimelineRow>> device_timeline_columns() { return device_columns; }
std::span<const Column<StepTimelineRow>> step_timeline_columns() { return step_columns; }
}  // namespace kinetoscope::analysis
