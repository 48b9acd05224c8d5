#include "core/analysis/category_sheet_columns.hpp"

#include <algorithm>
#include <array>
#include <variant>

#include "core/analysis/model_cells.hpp"
#include "core/analysis/roofline_cells.hpp"

namespace kinetoscope::analysis {
namespace {

using CategoryColumn = Column<WorkRow>;

template <auto figure>
Cell category_kernel_cell(const WorkRow& row) {
  return cell_of_time(row.kernel.*figure);
}
template <double RealStatistics::*figure>
Cell category_flops_rate(const WorkRow& row) {
  return rate_cell<figure>(row.rates.tflops_per_s);
}
template <double RealStatistics::*figure>
Cell category_bytes_rate(const WorkRow& row) {
  return rate_cell<figure>(row.rates.terabytes_per_s);
}

template <double RealStatistics::*figure>
Cell category_percent_cell(const WorkRow& row) {
  return roofline_percent_cell<figure>(row.roofline);
}

constexpr std::string_view bytes_rate_of_calls =
    "Over the row's calls, of the call's bytes over its kernel time, decimal. Missing without bytes, or without time.";
constexpr std::string_view flops_rate_of_calls =
    "Over the row's calls, of the call's FLOPs over its kernel time, decimal. Missing without FLOPs, or without time.";
constexpr std::string_view kernel_time_of_calls =
    "Over the row's calls, of the time during which some GPU event launched below the call ran (for backward work: "
    "below the autograd calls that belong to it). 0 for calls without GPU work.";
constexpr std::string_view deviation_of_calls = "Deviation of the same, divided by n - 1. Missing for one call.";
constexpr std::string_view of_first_call = "Of the row's first call.";
constexpr std::string_view argument_of_first_call =
    "Of the row's first call, as a tuple. Missing where it was not recorded.";

constexpr std::array category_columns_of_rows = {
    CategoryColumn{"name", "", "The operator; of backward work the forward operator that it belongs to.",
                   [](const WorkRow& row) -> Cell { return std::string(row.name); }},
    CategoryColumn{"num_kernels", "events", "GPU events of each call.",
                   [](const WorkRow& row) -> Cell { return static_cast<std::int64_t>(row.kernels); },
                   [](const TableOptions& options) { return options.groups_by_kernel_count; }},
    CategoryColumn{
        "is_recompute", "",
        "Whether all GPU work of the row was launched below a frame that recomputes forward work; of calls without GPU "
        "work, whether they are below such a frame.",
        [](const WorkRow& row) -> Cell { return row.is_recompute; },
        [](const TableOptions& options) { return options.detects_recompute; }},
    CategoryColumn{"GFLOPS_first", "10⁹ FLOPs", "FLOPs of the row's first call, by its model.",
                   [](const WorkRow& row) { return gflops_cell(row.estimate); }},
    CategoryColumn{"Data Moved (MB)_first", "MiB",
                   "Bytes that the row's first call has to move at least, by its model, over 1,048,576.",
                   [](const WorkRow& row) { return mebibytes_cell(row.estimate); }},
    CategoryColumn{"FLOPS/Byte_first", "FLOPs/byte",
                   "FLOPs over bytes of the row's first call. Missing without either.",
                   [](const WorkRow& row) { return intensity_cell(row.estimate); }},
    CategoryColumn{"TB/s_mean", "TB/s", bytes_rate_of_calls, category_bytes_rate<&RealStatistics::mean>},
    CategoryColumn{"TB/s_median", "TB/s", bytes_rate_of_calls, category_bytes_rate<&RealStatistics::median>},
    CategoryColumn{"TB/s_std", "TB/s", deviation_of_calls,
                   [](const WorkRow& row) { return rate_deviation_cell(row.rates.terabytes_per_s); }},
    CategoryColumn{"TB/s_min", "TB/s", bytes_rate_of_calls, category_bytes_rate<&RealStatistics::min>},
    CategoryColumn{"TB/s_max", "TB/s", bytes_rate_of_calls, category_bytes_rate<&RealStatistics::max>},
    CategoryColumn{"TFLOPS/s_mean", "TFLOP/s", flops_rate_of_calls, category_flops_rate<&RealStatistics::mean>},
    CategoryColumn{"TFLOPS/s_median", "TFLOP/s", flops_rate_of_calls, category_flops_rate<&RealStatistics::median>},
    CategoryColumn{"TFLOPS/s_std", "TFLOP/s", deviation_of_calls,
                   [](const WorkRow& row) { return rate_deviation_cell(row.rates.tflops_per_s); }},
    CategoryColumn{"TFLOPS/s_min", "TFLOP/s", flops_rate_of_calls, category_flops_rate<&RealStatistics::min>},
    CategoryColumn{"TFLOPS/s_max", "TFLOP/s", flops_rate_of_calls, category_flops_rate<&RealStatistics::max>},
    CategoryColumn{"process_name_first", "", of_first_call,
                   [](const WorkRow& row) -> Cell { return std::string(row.process_name); }},
    CategoryColumn{"process_label_first", "", of_first_call,
                   [](const WorkRow& row) -> Cell { return std::string(row.process_label); }},
    CategoryColumn{"thread_name_first", "", of_first_call,
                   [](const WorkRow& row) -> Cell { return std::string(row.thread_name); }},
    CategoryColumn{"Compute Spec", "",
                   "Unit and precision of the arithmetic, which name its ceiling. Missing where there is none, or no "
                   "figure is stated for such a type.",
                   [](const WorkRow& row) { return compute_spec_cell(row.estimate); }},
    CategoryColumn{"Roofline Time (µs)_first", "µs", roofline_time_meaning,
                   [](const WorkRow& row) { return roofline_time_cell(row.roofline); }, has_platform},
    CategoryColumn{"Roofline Bound_first", "", roofline_bound_meaning,
                   [](const WorkRow& row) { return roofline_bound_cell(row.roofline); }, has_platform},
    CategoryColumn{"Pct Roofline_mean", "%", roofline_percent_meaning, category_percent_cell<&RealStatistics::mean>,
                   has_platform},
    CategoryColumn{"Pct Roofline_median", "%", roofline_percent_meaning, category_percent_cell<&RealStatistics::median>,
                   has_platform},
    CategoryColumn{"Pct Roofline_std", "%", deviation_of_calls,
                   [](const WorkRow& row) { return roofline_deviation_cell(row.roofline); }, has_platform},
    CategoryColumn{"Pct Roofline_min", "%", roofline_percent_meaning, category_percent_cell<&RealStatistics::min>,
                   has_platform},
    CategoryColumn{"Pct Roofline_max", "%", roofline_percent_meaning, category_percent_cell<&RealStatistics::max>,
                   has_platform},
    CategoryColumn{"kernel_details__summarize_kernel_stats", "",
                   "GPU events of the row's calls by place in the call and name, as in ops_unique_args.",
                   [](const WorkRow& row) -> Cell { return details_text(row.kernels_run); }},
    CategoryColumn{"trunc_kernel_details", "",
                   "The same with names of at most 64 characters and only the mean, to two decimals.",
                   [](const WorkRow& row) -> Cell { return short_details_text(row.kernels_run); }},
    CategoryColumn{"Input Dims_first", "", argument_of_first_call,
                   [](const WorkRow& row) { return cell_of(row.input_dims); }},
    CategoryColumn{"Input type_first", "", argument_of_first_call,
                   [](const WorkRow& row) { return cell_of(row.input_types); }},
    CategoryColumn{"Input Strides_first", "", argument_of_first_call,
                   [](const WorkRow& row) { return cell_of(row.input_strides); }},
    CategoryColumn{"Concrete Inputs_first", "", argument_of_first_call,
                   [](const WorkRow& row) { return cell_of(row.concrete_inputs); }},
    CategoryColumn{"Kernel Time (µs)_mean", "µs", kernel_time_of_calls, category_kernel_cell<&Statistics::mean>},
    CategoryColumn{"Kernel Time (µs)_median", "µs", kernel_time_of_calls, category_kernel_cell<&Statistics::median>},
    CategoryColumn{"Kernel Time (µs)_std", "µs", deviation_of_calls,
                   category_kernel_cell<&Statistics::sample_deviation>},
    CategoryColumn{"Kernel Time (µs)_min", "µs", kernel_time_of_calls, category_kernel_cell<&Statistics::min>},
    CategoryColumn{"Kernel Time (µs)_max", "µs", kernel_time_of_calls, category_kernel_cell<&Statistics::max>},
    CategoryColumn{"Kernel Time (µs)_sum", "µs", kernel_time_of_calls, category_kernel_cell<&Statistics::sum>},
    CategoryColumn{"name_count", "calls", "Calls of the row, those without GPU work among them.",
                   [](const WorkRow& row) -> Cell { return static_cast<std::int64_t>(row.kernel.count); }},
    CategoryColumn{"UID_first", "", "The row's first call: its place in the file's list of events, from 0.",
                   [](const WorkRow& row) -> Cell { return static_cast<std::int64_t>(row.example); }},
    CategoryColumn{
        "TB/s_of_totals", "TB/s",
        "Bytes of all the row's calls over all their kernel time: what the group achieved, while the mean of "
        "rates weighs short calls as much as long ones.",
        [](const WorkRow& row) { return cell_of(row.rates.terabytes_per_s_of_totals); }},
    CategoryColumn{"TFLOPS/s_of_totals", "TFLOP/s", "FLOPs of all the row's calls over all their kernel time.",
                   [](const WorkRow& row) { return cell_of(row.rates.tflops_per_s_of_totals); }},
    CategoryColumn{"model_quality", "",
                   "exact, average_case (depends on data that no trace has), lower_bound, or none.",
                   [](const WorkRow& row) { return quality_cell(row.estimate); }},
    CategoryColumn{"model_remark", "",
                   "Why a figure is missing, and what the model had to assume. Missing where there is nothing to say.",
                   [](const WorkRow& row) { return remark_cell(row.estimate); }},
    CategoryColumn{"roofline_ceiling_tflops", "TFLOP/s", roofline_ceiling_meaning,
                   [](const WorkRow& row) { return roofline_ceiling_cell(row.roofline); }, has_platform},
    CategoryColumn{"roofline_remark", "", roofline_remark_meaning,
                   [](const WorkRow& row) { return roofline_remark_cell(row.roofline, row.estimate); }, has_platform},
    CategoryColumn{"counted", "calls",
                   "Calls of the row whose time counts: no other operator with a model stands around them, so that "
                   "each kernel counts once over all sheets.",
                   [](const WorkRow& row) -> Cell { return static_cast<std::int64_t>(row.counted); }},
    CategoryColumn{"counted_time_us", "µs",
                   "GPU time of the calls that count, each instant counted for one event: every stated sum is over "
                   "this, and that of all category sheets together is at most the busy time.",
                   [](const WorkRow& row) { return cell_of_time(row.counted_ns); }},
};
}  // namespace

std::span<const Column<WorkRow>> category_sheet_columns() { return category_columns_of_rows; }

std::string parameter_heading(std::string_view parameter) {
  return std::string(parameter_heading_prefix) + std::string(parameter);
}

Cell parameter_cell(const WorkRow& row, std::string_view parameter) {
  if (row.estimate == nullptr) return {};
  const auto found = std::ranges::find(row.estimate->parameters, parameter, &perf_model::Parameter::name);
  if (found == row.estimate->parameters.end()) return {};
  if (const auto* const truth = std::get_if<bool>(&found->value)) return *truth;
  if (const auto* const whole = std::get_if<std::int64_t>(&found->value)) return *whole;
  if (const auto* const real = std::get_if<double>(&found->value)) return *real;
  if (const auto* const text = std::get_if<std::string>(&found->value)) return *text;
  return perf_model::printed(found->value);
}
}  // namespace kinetoscope::analysis
