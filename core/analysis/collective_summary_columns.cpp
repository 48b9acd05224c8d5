#include "core/analysis/collective_summary_columns.hpp"

#include <array>
#include <string>

#include "core/analysis/stream_number.hpp"

namespace kinetoscope::analysis {
namespace {

constexpr double bytes_of_mb = 1024.0 * 1024.0;
constexpr std::string_view megabytes_meaning =
    "Elements times their size, in units of 1,048,576 bytes. Missing where their number is, and for an unknown dtype.";

Cell megabytes(const CollectiveRow& row, std::optional<std::int64_t> elements) {
  if (!elements || !row.element_bytes) return {};
  return static_cast<double>(*elements) * static_cast<double>(*row.element_bytes) / bytes_of_mb;
}
/// Missing where no kernel of the row has usable times.
Cell duration(const CollectiveRow& row, double duration_ns) {
  return row.durations_ns.count > 0 ? Cell(duration_ns / 1e3) : Cell();
}
Cell duration(const CollectiveRow& row, WideSum duration_ns) {
  return row.durations_ns.count > 0 ? Cell(microseconds(duration_ns)) : Cell();
}

constexpr std::string_view not_recorded = "As the profiler writes it beside the kernel. Missing where it does not.";

constexpr std::array collective_columns = {
    Column<CollectiveRow>{"rank", "", "The rank that the trace says it is of; 0 where it does not say.",
                          [](const CollectiveRow& row) -> Cell { return row.rank; }},
    Column<CollectiveRow>{
        "Process Group Name", "",
        "As the profiler writes it beside the kernel; Unknown_Group where it does not, or all where it does for "
        "no kernel and all are on one stream.",
        [](const CollectiveRow& row) -> Cell { return std::string(row.group_name); }},
    Column<CollectiveRow>{"Process Group Ranks", "", not_recorded,
                          [](const CollectiveRow& row) { return cell_of(row.group_ranks); }},
    Column<CollectiveRow>{
        "Collective name", "",
        "As the profiler writes it beside the kernel, else what the kernel's name says. Missing where neither "
        "tells.",
        [](const CollectiveRow& row) { return cell_of(row.collective_name); }},
    Column<CollectiveRow>{"Group size", "", not_recorded,
                          [](const CollectiveRow& row) { return cell_of(row.group_size); }},
    Column<CollectiveRow>{"dtype", "", not_recorded, [](const CollectiveRow& row) { return cell_of(row.data_type); }},
    Column<CollectiveRow>{"In msg nelems", "", not_recorded,
                          [](const CollectiveRow& row) { return cell_of(row.in_elements); }},
    Column<CollectiveRow>{"Out msg nelems", "", not_recorded,
                          [](const CollectiveRow& row) { return cell_of(row.out_elements); }},
    Column<CollectiveRow>{"In split size", "", not_recorded,
                          [](const CollectiveRow& row) { return cell_of(row.in_split_size); }},
    Column<CollectiveRow>{"Out split size", "", not_recorded,
                          [](const CollectiveRow& row) { return cell_of(row.out_split_size); }},
    Column<CollectiveRow>{"stream", "", stream_meaning, [](const CollectiveRow& row) { return cell_of(row.stream); }},
    Column<CollectiveRow>{"In msg size (MB)_first", "MB", megabytes_meaning,
                          [](const CollectiveRow& row) { return megabytes(row, row.in_elements); }},
    Column<CollectiveRow>{"Out msg size (MB)_first", "MB", megabytes_meaning,
                          [](const CollectiveRow& row) { return megabytes(row, row.out_elements); }},
    Column<CollectiveRow>{"dur_sum", "µs",
                          "Durations added up of the row's kernels. Missing where none has usable times.",
                          [](const CollectiveRow& row) { return duration(row, row.durations_ns.sum); }},
    Column<CollectiveRow>{"dur_mean", "µs", "Of kernels with usable times. Missing without any.",
                          [](const CollectiveRow& row) { return duration(row, row.durations_ns.mean); }},
    Column<CollectiveRow>{"dur_std", "µs",
                          "The sample's standard deviation (n - 1). Missing for fewer than two durations.",
                          [](const CollectiveRow& row) -> Cell {
                            const Known<double>& deviation = row.durations_ns.sample_deviation;
                            return deviation ? duration(row, *deviation) : Cell();
                          }},
    Column<CollectiveRow>{"dur_min", "µs", "Of kernels with usable times. Missing without any.",
                          [](const CollectiveRow& row) { return duration(row, WideSum{row.durations_ns.min}); }},
    Column<CollectiveRow>{"dur_max", "µs", "Of kernels with usable times. Missing without any.",
                          [](const CollectiveRow& row) { return duration(row, WideSum{row.durations_ns.max}); }},
    Column<CollectiveRow>{"operation_count", "events", "How many kernels, timed or not.",
                          [](const CollectiveRow& row) -> Cell { return static_cast<std::int64_t>(row.operations); }},
};
}  // namespace

std::span<const Column<CollectiveRow>> collective_summary_columns() { return collective_columns; }
}  // namespace kinetoscope::analysis
