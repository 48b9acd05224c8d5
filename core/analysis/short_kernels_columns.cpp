#include "core/analysis/short_kernels_columns.hpp"

#include <array>
#include <string>

#include "core/base/python_literal.hpp"

namespace kinetoscope::analysis {
namespace {

Cell printed(std::optional<std::string_view> json) { return json ? Cell(python_tuple(*json)) : Cell(); }

using Bin = ShortKernelBin;
constexpr std::array histogram_columns = {
    Column<Bin>{
        "bin_start", "µs",
        "The shortest duration of the bin. Bins are equally wide from the shortest to the longest short kernel, "
        "or half a microsecond to either side where all are equally long.",
        [](const Bin& bin) -> Cell { return bin.begin_us; }},
    Column<Bin>{"bin_end", "µs", "Where the next bin begins; the last bin has the kernels of this duration, too.",
                [](const Bin& bin) -> Cell { return bin.end_us; }},
    Column<Bin>{"count", "events",
                "How many kernels of the tables' population have a usable duration below the threshold and in the bin.",
                [](const Bin& bin) -> Cell { return static_cast<std::int64_t>(bin.count); }},
};

constexpr std::array short_kernel_columns = {
    Column<ShortKernelRow>{"Parent cpu_op", "",
                           "The nearest operator around the launch of the kernels. Missing where there is none.",
                           [](const ShortKernelRow& row) { return cell_of(row.parent); }},
    Column<ShortKernelRow>{"Input dims", "", "The operator's input shapes. Missing where they were not recorded.",
                           [](const ShortKernelRow& row) { return printed(row.input_dims); }},
    Column<ShortKernelRow>{"Input strides", "", "The operator's input strides. Missing where they were not recorded.",
                           [](const ShortKernelRow& row) { return printed(row.input_strides); }},
    Column<ShortKernelRow>{"Concrete Inputs", "", "The operator's scalar inputs. Missing where they were not recorded.",
                           [](const ShortKernelRow& row) { return printed(row.concrete_inputs); }},
    Column<ShortKernelRow>{"Kernel name", "", "As the profiler writes it. Copies and fills are no kernels.",
                           [](const ShortKernelRow& row) -> Cell { return std::string(row.kernel_name); }},
    Column<ShortKernelRow>{"Short Kernel duration (µs) sum", "µs",
                           "Durations added up of the row's kernels below the threshold.",
                           [](const ShortKernelRow& row) -> Cell { return microseconds(row.sum_ns); }},
    Column<ShortKernelRow>{"Short Kernel count", "events", "How many such kernels.",
                           [](const ShortKernelRow& row) -> Cell { return static_cast<std::int64_t>(row.count); }},
    Column<ShortKernelRow>{"Short Kernel duration (µs) mean", "µs", "The sum divided by the count.",
                           [](const ShortKernelRow& row) -> Cell { return row.mean_ns / 1e3; }},
    Column<ShortKernelRow>{"Short Kernel duration (µs) percent of total time", "%",
                           "The sum as a share of total_time in gpu_timeline. Missing where that is 0.",
                           [](const ShortKernelRow& row) { return cell_of(row.percent_of_total); }},
};
/// Columns of operators stand first.
constexpr std::size_t leading_operator_columns = 4;
}  // namespace

std::span<const Column<ShortKernelBin>> short_kernel_histogram_columns() { return histogram_columns; }
std::span<const Column<ShortKernelRow>> short_kernels_columns() { return short_kernel_columns; }
std::span<const Column<ShortKernelRow>> short_kernels_columns_without_operators() {
  return std::span<const Column<ShortKernelRow>>(short_kernel_columns).subspan(leading_operator_columns);
}
}  // namespace kinetoscope::analysis
