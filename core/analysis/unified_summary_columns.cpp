#include "core/analysis/unified_summary_columns.hpp"

#include <array>
#include <string>

#include "core/analysis/model_cells.hpp"
#include "core/analysis/roofline_cells.hpp"

namespace kinetoscope::analysis {
namespace {

using UnifiedColumn = Column<WorkRow>;

Cell unified_text(std::string_view text) { return std::string(text); }
Cell unified_count(std::uint64_t count) { return static_cast<std::int64_t>(count); }

/// One figure of the calls' own durations; missing where none is known.
template <auto figure>
Cell host_cell(const WorkRow& row) {
  return row.host.count == 0 ? Cell() : cell_of_time(row.host.*figure);
}
template <auto figure>
Cell kernel_cell(const WorkRow& row) {
  return cell_of_time(row.kernel.*figure);
}
template <double RealStatistics::*figure>
Cell flops_rate(const WorkRow& row) {
  return rate_cell<figure>(row.rates.tflops_per_s);
}
template <double RealStatistics::*figure>
Cell bytes_rate(const WorkRow& row) {
  return rate_cell<figure>(row.rates.terabytes_per_s);
}
template <double RealStatistics::*figure>
Cell percent_cell(const WorkRow& row) {
  return roofline_percent_cell<figure>(row.roofline);
}

constexpr std::string_view host_meaning =
    "Over the row's calls, of how long a call itself took on the host. Missing where the trace says it for none.";
constexpr std::string_view kernel_meaning =
    "Over the row's calls, of the time during which some GPU event launched below the call ran, communication "
    "included.";
constexpr std::string_view flops_rate_meaning =
    "Over the row's calls, of the call's FLOPs over its kernel time, decimal. Missing without FLOPs, or without time.";
constexpr std::string_view bytes_rate_meaning =
    "Over the row's calls, of the call's bytes over its kernel time, decimal. Missing without bytes, or without time.";
constexpr std::string_view deviation_meaning = "Deviation of the same, divided by n - 1. Missing for one call.";
constexpr std::string_view argument_meaning = "Of the row's calls, as a tuple. Missing where it was not recorded.";
constexpr std::string_view unknown_meaning = "Of the row's calls; Unknown where the trace does not say.";

constexpr std::array unified_columns = {
    UnifiedColumn{
        "name", "",
        "The operator that the work belongs to: the outermost that a model knows, or the one that launched it. "
        "\"launcher->kernel (Synthetic Op)\" is one GPU event whose launcher holds work of modelled operators, "
        "too, or is no operator.",
        [](const WorkRow& row) { return unified_text(row.name); }},
    UnifiedColumn{
        "op category", "",
        "Kind of work, as in ops_unique_args; backward work that belongs to a forward operator with a model has "
        "that operator's backward category.",
        [](const WorkRow& row) { return unified_text(row.category); }},
    UnifiedColumn{"parent_module", "",
                  "Class of the nearest nn.Module around the call, without its number; NA where there is none.",
                  [](const WorkRow& row) { return unified_text(row.parent_module); },
                  [](const TableOptions& options) { return options.groups_by_parent_module; }},
    UnifiedColumn{"process_name", "", unknown_meaning,
                  [](const WorkRow& row) { return unified_text(row.process_name); }},
    UnifiedColumn{"process_label", "", unknown_meaning,
                  [](const WorkRow& row) { return unified_text(row.process_label); }},
    UnifiedColumn{"thread_name", "", unknown_meaning, [](const WorkRow& row) { return unified_text(row.thread_name); }},
    UnifiedColumn{"Input Dims", "", argument_meaning, [](const WorkRow& row) { return cell_of(row.input_dims); }},
    UnifiedColumn{"Input type", "", argument_meaning, [](const WorkRow& row) { return cell_of(row.input_types); }},
    UnifiedColumn{"Input Strides", "", argument_meaning, [](const WorkRow& row) { return cell_of(row.input_strides); }},
    UnifiedColumn{"Concrete Inputs", "", argument_meaning,
                  [](const WorkRow& row) { return cell_of(row.concrete_inputs); }},
    UnifiedColumn{"num_kernels", "events", "GPU events of each call.",
                  [](const WorkRow& row) { return unified_count(row.kernels); },
                  [](const TableOptions& options) { return options.groups_by_kernel_count; }},
    UnifiedColumn{"is_recompute", "",
                  "Whether all GPU work of the row was launched below a frame that recomputes forward work.",
                  [](const WorkRow& row) -> Cell { return row.is_recompute; },
                  [](const TableOptions& options) { return options.detects_recompute; }},
    UnifiedColumn{
        "ex_UID", "",
        "The row's first call: its place in the file's list of events, from 0; numbers beyond the last are of "
        "single events.",
        [](const WorkRow& row) { return unified_count(row.example); }},
    UnifiedColumn{"operation_count", "calls", "Calls of the row.",
                  [](const WorkRow& row) { return unified_count(row.kernel.count); }},
    UnifiedColumn{"total_duration_us", "µs", host_meaning, host_cell<&Statistics::sum>},
    UnifiedColumn{"mean_duration_us", "µs", host_meaning, host_cell<&Statistics::mean>},
    UnifiedColumn{"std_duration_us", "µs", deviation_meaning, host_cell<&Statistics::sample_deviation>},
    UnifiedColumn{"GFLOPS", "10⁹ FLOPs",
                  "FLOPs of the row's first call, by its model; all calls of a row have the same.",
                  [](const WorkRow& row) { return gflops_cell(row.estimate); }},
    UnifiedColumn{"Data Moved (MB)", "MiB",
                  "Bytes that the row's first call has to move at least, by its model, over 1,048,576.",
                  [](const WorkRow& row) { return mebibytes_cell(row.estimate); }},
    UnifiedColumn{"FLOPS/Byte", "FLOPs/byte", "FLOPs over bytes of the row's first call. Missing without either.",
                  [](const WorkRow& row) { return intensity_cell(row.estimate); }},
    UnifiedColumn{"Compute Spec", "",
                  "Unit and precision of the arithmetic, which name its ceiling. Missing where there is none, or no "
                  "figure is stated for such a type.",
                  [](const WorkRow& row) { return compute_spec_cell(row.estimate); }},
    UnifiedColumn{"Roofline Bound", "", roofline_bound_meaning,
                  [](const WorkRow& row) { return roofline_bound_cell(row.roofline); }, has_platform},
    UnifiedColumn{"TB/s_mean", "TB/s", bytes_rate_meaning, bytes_rate<&RealStatistics::mean>},
    UnifiedColumn{"TB/s_std", "TB/s", deviation_meaning,
                  [](const WorkRow& row) { return rate_deviation_cell(row.rates.terabytes_per_s); }},
    UnifiedColumn{"TFLOPS/s_mean", "TFLOP/s", flops_rate_meaning, flops_rate<&RealStatistics::mean>},
    UnifiedColumn{"TFLOPS/s_std", "TFLOP/s", deviation_meaning,
                  [](const WorkRow& row) { return rate_deviation_cell(row.rates.tflops_per_s); }},
    UnifiedColumn{"Kernel Time (µs)_mean", "µs", kernel_meaning, kernel_cell<&Statistics::mean>},
    UnifiedColumn{"Kernel Time (µs)_std", "µs", deviation_meaning, kernel_cell<&Statistics::sample_deviation>},
    UnifiedColumn{"Kernel Time (µs)_sum", "µs", kernel_meaning, kernel_cell<&Statistics::sum>},
    UnifiedColumn{"duration_us_median", "µs", host_meaning, host_cell<&Statistics::median>},
    UnifiedColumn{"duration_us_min", "µs", host_meaning, host_cell<&Statistics::min>},
    UnifiedColumn{"duration_us_max", "µs", host_meaning, host_cell<&Statistics::max>},
    UnifiedColumn{"TB/s_median", "TB/s", bytes_rate_meaning, bytes_rate<&RealStatistics::median>},
    UnifiedColumn{"TB/s_min", "TB/s", bytes_rate_meaning, bytes_rate<&RealStatistics::min>},
    UnifiedColumn{"TB/s_max", "TB/s", bytes_rate_meaning, bytes_rate<&RealStatistics::max>},
    UnifiedColumn{"TFLOPS/s_median", "TFLOP/s", flops_rate_meaning, flops_rate<&RealStatistics::median>},
    UnifiedColumn{"TFLOPS/s_min", "TFLOP/s", flops_rate_meaning, flops_rate<&RealStatistics::min>},
    UnifiedColumn{"TFLOPS/s_max", "TFLOP/s", flops_rate_meaning, flops_rate<&RealStatistics::max>},
    UnifiedColumn{"Roofline Time (µs)_first", "µs", roofline_time_meaning,
                  [](const WorkRow& row) { return roofline_time_cell(row.roofline); }, has_platform},
    UnifiedColumn{"Pct Roofline_mean", "%", roofline_percent_meaning, percent_cell<&RealStatistics::mean>,
                  has_platform},
    UnifiedColumn{"Pct Roofline_median", "%", roofline_percent_meaning, percent_cell<&RealStatistics::median>,
                  has_platform},
    UnifiedColumn{"Pct Roofline_std", "%", deviation_meaning,
                  [](const WorkRow& row) { return roofline_deviation_cell(row.roofline); }, has_platform},
    UnifiedColumn{"Pct Roofline_min", "%", roofline_percent_meaning, percent_cell<&RealStatistics::min>, has_platform},
    UnifiedColumn{"Pct Roofline_max", "%", roofline_percent_meaning, percent_cell<&RealStatistics::max>, has_platform},
    UnifiedColumn{"Kernel Time (µs)_median", "µs", kernel_meaning, kernel_cell<&Statistics::median>},
    UnifiedColumn{"Kernel Time (µs)_min", "µs", kernel_meaning, kernel_cell<&Statistics::min>},
    UnifiedColumn{"Kernel Time (µs)_max", "µs", kernel_meaning, kernel_cell<&Statistics::max>},
    UnifiedColumn{"kernel_details_summary", "",
                  "GPU events of the row's calls by place in the call and name, as in ops_unique_args.",
                  [](const WorkRow& row) -> Cell { return details_text(row.kernels_run); }},
    UnifiedColumn{"trunc_kernel_details", "",
                  "The same with names of at most 64 characters and only the mean, to two decimals.",
                  [](const WorkRow& row) -> Cell { return short_details_text(row.kernels_run); }},
    UnifiedColumn{"perf_params", "", "What the model read from the first call's arguments. Missing without a model.",
                  [](const WorkRow& row) { return parameters_cell(row.estimate); }},
    UnifiedColumn{
        "has_perf_model", "", "Whether a model knows the operator, or its forward operator's model this work.",
        [](const WorkRow& row) -> Cell { return row.kind == WorkKind::modelled || row.kind == WorkKind::backward; }},
    UnifiedColumn{"Percentage (%)", "%", "Kernel time as a share of that of all rows. Missing where that is 0.",
                  [](const WorkRow& row) { return cell_of(row.percentage); }},
    UnifiedColumn{"Cumulative Percentage (%)", "%", "The share of this row and all rows above.",
                  [](const WorkRow& row) { return cell_of(row.cumulative_percentage); }},
    UnifiedColumn{"TB/s_of_totals", "TB/s",
                  "Bytes of all the row's calls over all their kernel time: what the group achieved, while the mean of "
                  "rates weighs short calls as much as long ones.",
                  [](const WorkRow& row) { return cell_of(row.rates.terabytes_per_s_of_totals); }},
    UnifiedColumn{"TFLOPS/s_of_totals", "TFLOP/s", "FLOPs of all the row's calls over all their kernel time.",
                  [](const WorkRow& row) { return cell_of(row.rates.tflops_per_s_of_totals); }},
    UnifiedColumn{"model_quality", "", "exact, average_case (depends on data that no trace has), lower_bound, or none.",
                  [](const WorkRow& row) { return quality_cell(row.estimate); }},
    UnifiedColumn{"model_remark", "",
                  "Why a figure is missing, and what the model had to assume. Missing where there is nothing to say.",
                  [](const WorkRow& row) { return remark_cell(row.estimate); }},
    UnifiedColumn{
        "recorded_gflops", "10⁹ FLOPs",
        "What Inductor wrote beside the first call (kernel_flop): a second opinion. Missing where it did not.",
        [](const WorkRow& row) { return row.recorded_flops ? Cell(*row.recorded_flops / 1e9) : Cell(); }},
    UnifiedColumn{"recorded_gigabytes", "GB",
                  "What Inductor wrote beside the first call (kernel_num_gb). Missing where it did not.",
                  [](const WorkRow& row) { return row.recorded_gigabytes ? Cell(*row.recorded_gigabytes) : Cell(); }},
    UnifiedColumn{"counted_time_us", "µs",
                  "GPU time of the row's events, each instant counted for one event: with coll_analysis's exposed time "
                  "and what nobody launched the rows add up to the busy time.",
                  [](const WorkRow& row) { return cell_of_time(row.counted_ns); }},
    UnifiedColumn{"roofline_ceiling_tflops", "TFLOP/s", roofline_ceiling_meaning,
                  [](const WorkRow& row) { return roofline_ceiling_cell(row.roofline); }, has_platform},
    UnifiedColumn{"roofline_remark", "", roofline_remark_meaning,
                  [](const WorkRow& row) { return roofline_remark_cell(row.roofline, row.estimate); }, has_platform},
};
}  // namespace

std::span<const Column<WorkRow>> unified_summary_columns() { return unified_columns; }
}  // namespace kinetoscope::analysis
