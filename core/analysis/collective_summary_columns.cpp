#include "core/analysis/collective_summary_columns.hpp"

#include <array>
#include <string>

namespace kinetoscope::analysis {
namespace {

using Row = CollectiveRow;

constexpr double bytes_of_mb = 1024.0 * 1024.0;

Cell megabytes(const Row& row, std::optional<std::int64_t> elements) {
  if (!elements || !row.element_bytes) return {};
  return static_cast<double>(*elements) * static_cast<double>(*row.element_bytes) / bytes_of_mb;
}
/// Missing where no kernel of the row has usable times.
Cell duration(const Row& row, double duration_ns) {
  return row.durations_ns.count > 0 ? Cell(duration_ns / 1e3) : Cell();
}
Cell duration(const Row& row, WideSum duration_ns) {
  return row.durations_ns.count > 0 ? Cell(microseconds(duration_ns)) : Cell();
}

constexpr std::string_view not_recorded = "As the profiler writes it beside the kernel. Missing where it does not.";

constexpr std::array columns = {
    Column<Row>{"rank", "", "The rank that the trace says it is of; 0 where it does not say.",
                [](const Row& row) -> Cell { return row.rank; }},
    Column<Row>{
        "Process Group Name", "",
        "As the profiler writes it beside the kernel; Unknown_Group where it does not, or all where it does for "
        "no kernel and all are on one stream.",
        [](const Row& row) -> Cell { return std::string(row.group_name); }},
    Column<Row>{"Process Group Ranks", "", not_recorded, [](const Row& row) { return cell_of(row.group_ranks); }},
    Column<Row>{"Collective name", "",
                "As the profiler writes it beside the kernel, else what the kernel's name says. Missing where neither "
                "tells.",
                [](const Row& row) { return cell_of(row.collective_name); }},
    Column<Row>{"Group size", "", not_recorded, [](const Row& row) { return cell_of(row.group_size); }},
    Column<Row>{"dtype", "", not_recorded, [](const Row& row) { return cell_of(row.data_type); }},
    Column<Row>{"In msg nelems", "", not_recorded, [](const Row& row) { return cell_of(row.in_elements); }},
    Column<Row>{"Out msg nelems", "", not_recorded, [](const Row& row) { return cell_of(row.out_elements); }},
    Column<Row>{"In split size", "", not_recorded, [](const Row& row) { return cell_of(row.in_split_size); }},
    Column<Row>{"Out split size", "", not_recorded, [](const Row& row) { return cell_of(row.out_split_size); }},
    Column<Row>{"stream", "", "The kernels' argument `stream`. Missing where they have none.",
                [](const Row& row) { return cell_of(row.stream); }},
    Column<Row>{"In msg size (MB)_first", "MB",
                "Elements times their size, in units of 1,048,576 bytes. Missing where their number is, and for an "
                "unknown dtype.",
                [](const Row& row) { return megabytes(row, row.in_elements); }},
    Column<Row>{"Out msg size (MB)_first", "MB",
                "Elements times their size, in units of 1,048,576 bytes. Missing where their number is, and for an "
                "unknown dtype.",
                [](const Row& row) { return megabytes(row, row.out_elements); }},
    Column<Row>{"dur_sum", "µs",
                "Durations added up of the linked communication kernels. Missing where none has usable times.",
                [](const Row& row) { return duration(row, row.durations_ns.sum); }},
    Column<Row>{"dur_mean", "µs", "Of kernels with usable times. Missing without any.",
                [](const Row& row) { return duration(row, row.durations_ns.mean); }},
    Column<Row>{"dur_std", "µs", "The sample's standard deviation (n - 1). Missing for fewer than two durations.",
                [](const Row& row) -> Cell {
                  const Known<double>& deviation = row.durations_ns.sample_deviation;
                  return deviation ? duration(row, *deviation) : Cell();
                }},
    Column<Row>{"dur_min", "µs", "Of kernels with usable times. Missing without any.",
                [](const Row& row) { return duration(row, WideSum{row.durations_ns.min}); }},
    Column<Row>{"dur_max", "µs", "Of kernels with usable times. Missing without any.",
                [](const Row& row) { return duration(row, WideSum{row.durations_ns.max}); }},
    Column<Row>{"operation_count", "events", "How many kernels, timed or not.",
                [](const Row& row) -> Cell { return static_cast<std::int64_t>(row.operations); }},
};
}  // namespace

std::span<const Column<CollectiveRow>> collective_summary_columns() { return columns; }
}  // namespace kinetoscope::analysis
