#include "core/analysis/kernel_summary_columns.hpp"

#include <array>
#include <string>

#include "core/analysis/stream_number.hpp"

namespace kinetoscope::analysis {
namespace {

Known<double> in_microseconds(const Known<double>& duration_ns) {
  return duration_ns ? Known<double>(*duration_ns / 1e3) : duration_ns;
}
Known<double> in_microseconds(const Known<WideSum>& duration_ns) {
  return duration_ns ? Known<double>(microseconds(*duration_ns)) : Known<double>(duration_ns.reason());
}
Known<double> in_microseconds(const Known<std::int64_t>& duration_ns) {
  return duration_ns ? Known<double>(microseconds(*duration_ns)) : Known<double>(duration_ns.reason());
}

constexpr Column<KernelSummaryRow> parent_column = {
    "Parent cpu_op", "",
    "The nearest operator around the launch of the kernels; the launching call where there is none. Missing where the "
    "trace has no launch of them.",
    [](const KernelSummaryRow& row) { return cell_of(row.parent); }};
constexpr Column<KernelSummaryRow> category_column = {
    "Parent op category", "",
    "The operator's category as in ops_summary; graph or runtime where no operator is around the launch, by how the "
    "kernels were launched; unlinked where the trace has no launch of them. Missing for those, too, where no launch of "
    "the trace has a start.",
    [](const KernelSummaryRow& row) { return cell_of(row.category); }};
constexpr std::array<Column<KernelSummaryRow>, 9> other_columns = {
    Column<KernelSummaryRow>{"Kernel name", "", "As the profiler writes it. Copies and fills are no kernels.",
                             [](const KernelSummaryRow& row) -> Cell { return std::string(row.kernel_name); }},
    Column<KernelSummaryRow>{"Kernel stream", "", stream_meaning,
                             [](const KernelSummaryRow& row) { return cell_of(row.stream); }},
    Column<KernelSummaryRow>{"Kernel duration (µs)_sum", "µs",
                             "Durations added up, of kernels with usable times. Missing without any.",
                             [](const KernelSummaryRow& row) { return cell_of(in_microseconds(row.sum_ns)); }},
    Column<KernelSummaryRow>{"Kernel duration (µs)_count", "events", "How many kernels, timed or not.",
                             [](const KernelSummaryRow& row) -> Cell { return static_cast<std::int64_t>(row.count); }},
    Column<KernelSummaryRow>{"Kernel duration (µs)_mean", "µs", "Of kernels with usable times. Missing without any.",
                             [](const KernelSummaryRow& row) { return cell_of(in_microseconds(row.mean_ns)); }},
    Column<KernelSummaryRow>{"Kernel duration (µs)_min", "µs", "Of kernels with usable times. Missing without any.",
                             [](const KernelSummaryRow& row) { return cell_of(in_microseconds(row.min_ns)); }},
    Column<KernelSummaryRow>{"Kernel duration (µs)_max", "µs", "Of kernels with usable times. Missing without any.",
                             [](const KernelSummaryRow& row) { return cell_of(in_microseconds(row.max_ns)); }},
    Column<KernelSummaryRow>{
        "Percent of kernels time (%)", "%",
        "The sum as a share of all rows' sums, unlinked ones included. Missing where either is, or that is 0.",
        [](const KernelSummaryRow& row) { return cell_of(row.percent_of_kernels); }},
    Column<KernelSummaryRow>{
        "Percent of total time (%)", "%",
        "The sum as a share of total_time in gpu_timeline. Missing where either is, or that is 0, and for unlinked "
        "kernels unless the timeline is over them too.",
        [](const KernelSummaryRow& row) { return cell_of(row.percent_of_total); }},
};

template <std::size_t size>
constexpr std::array<Column<KernelSummaryRow>, size + other_columns.size()> with_others(
    const std::array<Column<KernelSummaryRow>, size>& first) {
  std::array<Column<KernelSummaryRow>, size + other_columns.size()> all;
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i < size ? first[i] : other_columns[i - size];
  return all;
}
constexpr std::array kernel_columns = with_others(std::array{category_column, parent_column});
constexpr std::array columns_without_operators = with_others(std::array{category_column});
}  // namespace

std::span<const Column<KernelSummaryRow>> kernel_summary_columns() { return kernel_columns; }
std::span<const Column<KernelSummaryRow>> kernel_summary_columns_without_operators() {
  return columns_without_operators;
}
}  // namespace kinetoscope::analysis
