#include "core/analysis/operator_columns.hpp"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "core/base/python_literal.hpp"

namespace kinetoscope::analysis {
namespace {

// Which columns are there.
bool groups_by_module(const TableOptions& options) { return options.groups_by_parent_module; }
bool is_over_all_modules(const TableOptions& options) { return !options.groups_by_parent_module; }
bool groups_by_kernels(const TableOptions& options) { return options.groups_by_kernel_count; }
bool has_call_stack(const TableOptions& options) { return options.has_call_stack; }
bool has_first_occurrence(const TableOptions& options) { return options.has_first_occurrence; }

Cell text_cell(std::string_view text) { return std::string(text); }
Cell argument_cell(const std::optional<std::string_view>& text) { return text ? Cell(std::string(*text)) : Cell(); }
Cell text_or_missing(std::string text) { return text.empty() ? Cell() : Cell(std::move(text)); }
Cell count_cell(std::uint64_t count) { return static_cast<std::int64_t>(count); }
Cell us_cell(std::int64_t time_ns) { return microseconds(time_ns); }
Cell us_cell(WideSum time_ns) { return microseconds(time_ns); }
Cell us_cell(double time_ns) { return time_ns / 1e3; }
Cell us_cell(const Known<double>& time_ns) { return time_ns ? Cell(*time_ns / 1e3) : Cell(); }

// Cells that rows of all sheets have.
template <typename Row>
Cell module_cell(const Row& row) {
  return text_cell(row.parent_module);
}
template <typename Row>
Cell recompute_cell(const Row& row) {
  return row.is_recompute;
}
template <typename Row>
Cell stack_cell(const Row& row) {
  return text_or_missing(row.call_stack);
}
template <typename Row>
Cell launchers_cell(const Row& row) {
  return count_cell(row.totals.launchers);
}
template <typename Row>
Cell direct_ms_cell(const Row& row) {
  return milliseconds(row.totals.direct_ns);
}
template <typename Row>
Cell percentage_cell(const Row& row) {
  return cell_of(row.totals.percentage);
}
template <typename Row>
Cell cumulative_cell(const Row& row) {
  return cell_of(row.totals.cumulative_percentage);
}
template <typename Row>
Cell counted_us_cell(const Row& row) {
  return us_cell(row.totals.counted_ns);
}

// What they mean.
constexpr std::string_view category_meaning =
    "Kind of work, by the operator's name; for names that are not registered by the name of the first kernel, then by "
    "the nearest registered operator around it; else other.";
constexpr std::string_view module_meaning =
    "Class of the nearest nn.Module around the launcher, without its number; NA where there is none.";
constexpr std::string_view recompute_meaning =
    "Whether all GPU work of the row was launched below a frame that recomputes forward work for the backward pass.";
constexpr std::string_view stack_meaning =
    "Of the row's first launcher: its own name, then the nn.Module calls around it, outward. Of more than 512 the "
    "nearest and then ... stand there. Missing in the last rows where the stacks of all take more than 64 MiB.";
constexpr std::string_view percentage_meaning =
    "Direct time as a share of the direct time of all rows. Missing where that is 0.";
constexpr std::string_view cumulative_meaning =
    "The share of this row and all rows above. Missing where the direct time of all rows is 0.";
constexpr std::string_view counted_meaning = "Launchers of the row.";
constexpr std::string_view counted_time_meaning =
    "GPU time of the row's kernels, each instant counted for one event: the rows add up to computation_time and "
    "exposed_memcpy_time of gpu_timeline, less what nobody launched.";
constexpr std::string_view direct_meaning =
    "Time during which some GPU event of a launcher ran, communication left out, added up over the row's launchers.";
constexpr std::string_view subtree_meaning =
    "Time during which some GPU event launched below a launcher ran, communication included, added up over the row's "
    "launchers. A parent's time holds its children's.";

constexpr std::array by_category = {
    Column<CategoryRow>{"op category", "", category_meaning,
                        [](const CategoryRow& row) { return text_cell(row.category); }},
    Column<CategoryRow>{"parent_module", "", module_meaning, module_cell<CategoryRow>, groups_by_module},
    Column<CategoryRow>{"is_recompute", "", recompute_meaning, recompute_cell<CategoryRow>, detects_recompute},
    Column<CategoryRow>{"Count", "launchers", "Calls that launched GPU work other than communication.",
                        launchers_cell<CategoryRow>},
    Column<CategoryRow>{"call_stack_first", "", stack_meaning, stack_cell<CategoryRow>, has_call_stack},
    Column<CategoryRow>{"total_direct_kernel_time_ms", "ms", direct_meaning, direct_ms_cell<CategoryRow>},
    Column<CategoryRow>{"Percentage (%)", "%", percentage_meaning, percentage_cell<CategoryRow>},
    Column<CategoryRow>{"Cumulative Percentage (%)", "%", cumulative_meaning, cumulative_cell<CategoryRow>},
    Column<CategoryRow>{"counted", "launchers", counted_meaning, launchers_cell<CategoryRow>},
    Column<CategoryRow>{"counted_time_us", "µs", counted_time_meaning, counted_us_cell<CategoryRow>},
};

Cell categories_cell(const OperatorRow& row) {
  std::string out = "[";
  for (const std::string_view category : row.categories) {
    if (out.size() > 1) out += ", ";
    out += python_string(category);
  }
  return out + "]";
}

constexpr std::array by_name = {
    Column<OperatorRow>{"name", "", "The launcher: an operator, or a runtime call that no operator stands around.",
                        [](const OperatorRow& row) { return text_cell(row.name); }},
    Column<OperatorRow>{"parent_module", "", module_meaning, module_cell<OperatorRow>, groups_by_module},
    Column<OperatorRow>{"is_recompute", "", recompute_meaning, recompute_cell<OperatorRow>, detects_recompute},
    Column<OperatorRow>{"total_direct_kernel_time_sum", "µs", direct_meaning,
                        [](const OperatorRow& row) { return us_cell(row.totals.direct_ns); }},
    Column<OperatorRow>{"total_subtree_kernel_time_sum", "µs", subtree_meaning,
                        [](const OperatorRow& row) { return us_cell(row.totals.subtree_ns); }},
    Column<OperatorRow>{"total_subtree_kernel_time_count", "launchers", "Launchers of the row.",
                        launchers_cell<OperatorRow>, groups_by_module},
    Column<OperatorRow>{"total_direct_kernel_time_ms", "ms", direct_meaning, direct_ms_cell<OperatorRow>},
    Column<OperatorRow>{"total_subtree_kernel_time_ms", "ms", subtree_meaning,
                        [](const OperatorRow& row) -> Cell { return milliseconds(row.totals.subtree_ns); },
                        is_over_all_modules},
    Column<OperatorRow>{"Count", "launchers", "Calls of this name that launched GPU work other than communication.",
                        launchers_cell<OperatorRow>},
    Column<OperatorRow>{"Categories", "", "Every category that a launcher of the row has, as a sorted list.",
                        categories_cell},
    Column<OperatorRow>{"call_stack_first", "", stack_meaning, stack_cell<OperatorRow>, has_call_stack},
    Column<OperatorRow>{"Percentage (%)", "%", percentage_meaning, percentage_cell<OperatorRow>},
    Column<OperatorRow>{"Cumulative Percentage (%)", "%", cumulative_meaning, cumulative_cell<OperatorRow>},
    Column<OperatorRow>{"counted", "launchers", counted_meaning, launchers_cell<OperatorRow>},
    Column<OperatorRow>{"counted_time_us", "µs", counted_time_meaning, counted_us_cell<OperatorRow>},
};

using UniqueColumn = Column<UniqueArgumentsRow>;

/// A statistic of a time: `part` is direct or subtree.
template <auto part, auto figure>
Cell statistic_cell(const UniqueArgumentsRow& row) {
  return us_cell(row.*part.*figure);
}
constexpr auto direct = &UniqueArgumentsRow::direct;
constexpr auto subtree = &UniqueArgumentsRow::subtree;

constexpr std::string_view direct_statistic =
    "Over the row's launchers, of the time during which some GPU event of the launcher ran, communication left out.";
constexpr std::string_view subtree_statistic =
    "Over the row's launchers, of the time during which some GPU event launched below the launcher ran, communication "
    "included.";
constexpr std::string_view direct_deviation =
    "Deviation of the direct time over the row's launchers, divided by n - 1. Missing for one launcher.";
constexpr std::string_view subtree_deviation =
    "Deviation of the subtree time over the row's launchers, divided by n - 1. Missing for one launcher.";

Cell details_or_missing(std::span<const KernelDetail> details) {
  return details.empty() ? Cell() : Cell(details_text(details));
}
Cell details_cell(const UniqueArgumentsRow& row) { return details_text(row.kernels_run); }
Cell short_details_cell(const UniqueArgumentsRow& row) { return text_or_missing(short_details_text(row.kernels_run)); }

constexpr std::array unique_arguments = {
    UniqueColumn{"name", "", "The launcher: an operator, or a runtime call that no operator stands around.",
                 [](const UniqueArgumentsRow& row) { return text_cell(row.name); }},
    UniqueColumn{"op category", "", category_meaning,
                 [](const UniqueArgumentsRow& row) { return text_cell(row.category); }},
    UniqueColumn{"parent_module", "", module_meaning, module_cell<UniqueArgumentsRow>, groups_by_module},
    UniqueColumn{"process_name", "", "Of the launcher's process; Unknown where the trace does not say.",
                 [](const UniqueArgumentsRow& row) { return text_cell(row.process_name); }},
    UniqueColumn{"process_label", "", "Of the launcher's process; Unknown where the trace does not say.",
                 [](const UniqueArgumentsRow& row) { return text_cell(row.process_label); }},
    UniqueColumn{"thread_name", "", "Of the launcher's thread; Unknown where the trace does not say.",
                 [](const UniqueArgumentsRow& row) { return text_cell(row.thread_name); }},
    UniqueColumn{"Input Dims", "", "Sizes of the inputs, as a tuple. Missing where they were not recorded.",
                 [](const UniqueArgumentsRow& row) { return argument_cell(row.input_dims); }},
    UniqueColumn{"Input type", "", "Types of the inputs, as a tuple. Missing where they were not recorded.",
                 [](const UniqueArgumentsRow& row) { return argument_cell(row.input_types); }},
    UniqueColumn{"Input Strides", "", "Strides of the inputs, as a tuple. Missing where they were not recorded.",
                 [](const UniqueArgumentsRow& row) { return argument_cell(row.input_strides); }},
    UniqueColumn{"Concrete Inputs", "", "Values of scalar inputs, as a tuple. Missing where they were not recorded.",
                 [](const UniqueArgumentsRow& row) { return argument_cell(row.concrete_inputs); }},
    UniqueColumn{"num_kernels", "events", "GPU events of each launcher, communication left out.",
                 [](const UniqueArgumentsRow& row) { return count_cell(row.kernels); }, groups_by_kernels},
    UniqueColumn{"is_recompute", "", recompute_meaning, recompute_cell<UniqueArgumentsRow>, detects_recompute},
    UniqueColumn{"operation_count", "launchers", "Launchers of the row.", launchers_cell<UniqueArgumentsRow>},
    UniqueColumn{"first_occurrence_time", "µs",
                 "From the start of the sheet's first launcher to that of the row's first. Missing where it has none.",
                 [](const UniqueArgumentsRow& row) -> Cell {
                   return row.first_occurrence_ns ? us_cell(*row.first_occurrence_ns) : Cell();
                 },
                 has_first_occurrence},
    UniqueColumn{"total_direct_kernel_time_mean", "µs", direct_statistic, statistic_cell<direct, &Statistics::mean>},
    UniqueColumn{"total_subtree_kernel_time_mean", "µs", subtree_statistic, statistic_cell<subtree, &Statistics::mean>},
    UniqueColumn{"total_direct_kernel_time_median", "µs", direct_statistic,
                 statistic_cell<direct, &Statistics::median>},
    UniqueColumn{"total_subtree_kernel_time_median", "µs", subtree_statistic,
                 statistic_cell<subtree, &Statistics::median>},
    UniqueColumn{"total_direct_kernel_time_std", "µs", direct_deviation,
                 statistic_cell<direct, &Statistics::sample_deviation>},
    UniqueColumn{"total_subtree_kernel_time_std", "µs", subtree_deviation,
                 statistic_cell<subtree, &Statistics::sample_deviation>},
    UniqueColumn{"total_direct_kernel_time_min", "µs", direct_statistic, statistic_cell<direct, &Statistics::min>},
    UniqueColumn{"total_subtree_kernel_time_min", "µs", subtree_statistic, statistic_cell<subtree, &Statistics::min>},
    UniqueColumn{"total_direct_kernel_time_max", "µs", direct_statistic, statistic_cell<direct, &Statistics::max>},
    UniqueColumn{"total_subtree_kernel_time_max", "µs", subtree_statistic, statistic_cell<subtree, &Statistics::max>},
    UniqueColumn{"total_direct_kernel_time_sum", "µs", direct_meaning, statistic_cell<direct, &Statistics::sum>},
    UniqueColumn{"total_subtree_kernel_time_sum", "µs", subtree_meaning, statistic_cell<subtree, &Statistics::sum>},
    UniqueColumn{"ex_UID", "",
                 "The row's first launcher: its place in the file's list of events, from 0; of an operator that "
                 "--pseudo-ops added, which stands nowhere in the file, a number beyond the last.",
                 [](const UniqueArgumentsRow& row) { return count_cell(index_of(row.example)); }},
    UniqueColumn{"call_stack", "", stack_meaning, stack_cell<UniqueArgumentsRow>, has_call_stack},
    UniqueColumn{"kernel_details_summary", "",
                 "GPU events of the row's launchers by place in the launch and name, with statistics of their recorded "
                 "durations over the launchers (deviation divided by n), by total time, rising. The stream is the "
                 "device's number for it (as in kernel_summary), of the first such event.",
                 details_cell},
    UniqueColumn{"trunc_kernel_details", "",
                 "The same with names of at most 64 characters and only the mean, to two decimals.",
                 short_details_cell},
    UniqueColumn{"entry_point", "",
                 "Source frame that the row's first launcher stands for: below it the first whose function bears its "
                 "name, else the nearest around it that does more than pass a call on; Not found without. Missing as "
                 "call_stack is.",
                 [](const UniqueArgumentsRow& row) { return text_or_missing(row.full_call_stack.entry_point); },
                 has_call_stack},
    UniqueColumn{
        "call_stack_full", "",
        "Of the row's first launcher: frames from the outermost to the kernel, numbers left out; where its "
        "kernels differ, what they share and then a list for each. ... stands for frames beyond 512, and for ways "
        "to kernels beyond 512. Missing as call_stack is.",
        [](const UniqueArgumentsRow& row) { return text_or_missing(row.full_call_stack.text); }, has_call_stack},
    UniqueColumn{"Percentage (%)", "%", percentage_meaning, percentage_cell<UniqueArgumentsRow>},
    UniqueColumn{"Cumulative Percentage (%)", "%", cumulative_meaning, cumulative_cell<UniqueArgumentsRow>},
    UniqueColumn{"counted", "launchers", counted_meaning, launchers_cell<UniqueArgumentsRow>},
    UniqueColumn{"counted_time_us", "µs", counted_time_meaning, counted_us_cell<UniqueArgumentsRow>},
};

template <auto figure>
Cell overlap_cell(const UniqueArgumentsRow& row) {
  return cell_of(row.overlap.*figure);
}
constexpr std::string_view overlap_meaning =
    "Over the row's launchers, of the share of the launcher's direct time during which something of another operator "
    "ran on another stream, 1 being all of it; to two decimals. Missing where nothing did.";

constexpr UniqueColumn overlapping_names_column = {
    "overlapping_kernel_names", "",
    "Names of GPU events of other operators that ran on other streams for at least 1 µs while the launchers' did, as a "
    "sorted list. Missing where none did, where more than 64 names did, and in the last rows where the texts of all "
    "take more than 64 MiB.",
    [](const UniqueArgumentsRow& row) { return text_or_missing(overlapping_names(row.overlap.kernels)); }};

/// Behind trunc_kernel_details.
constexpr std::array overlap_figures = {
    UniqueColumn{"overlapping_kernels_details_summary", "",
                 "What ran beside the row's launchers, by name: share of the launcher's direct time and statistics of "
                 "the durations, those of one launcher averaged. Missing as overlapping_kernel_names is.",
                 [](const UniqueArgumentsRow& row) { return details_or_missing(row.overlap.kernels); }},
    UniqueColumn{
        "trunc_overlapping_kernels_details", "",
        "The same with names of at most 64 characters and only the mean, to two decimals. Missing as "
        "overlapping_kernel_names is.",
        [](const UniqueArgumentsRow& row) { return text_or_missing(short_details_text(row.overlap.kernels)); }},
    UniqueColumn{"overlap_pct_mean", "share", overlap_meaning, overlap_cell<&OverlapSummary::mean>},
    UniqueColumn{"overlap_pct_median", "share", overlap_meaning, overlap_cell<&OverlapSummary::median>},
    UniqueColumn{"overlap_pct_std", "share",
                 "Deviation of the same share over the row's launchers, divided by n - 1; 0 of one launcher. Missing "
                 "where nothing ran beside them.",
                 overlap_cell<&OverlapSummary::deviation>},
    UniqueColumn{"overlap_pct_min", "share", overlap_meaning, overlap_cell<&OverlapSummary::min>},
    UniqueColumn{"overlap_pct_max", "share", overlap_meaning, overlap_cell<&OverlapSummary::max>},
};

/// Behind all that users know.
constexpr UniqueColumn overlapping_count_column = {
    "overlapping_kernel_names_count", "names",
    "How many different names overlapping_kernel_names has, or would have if it were not left out; 0 where nothing ran "
    "beside the launchers.",
    [](const UniqueArgumentsRow& row) { return count_cell(row.overlap.names); }};

/// The columns of ops_unique_args with those of the overlap where they belong.
std::vector<UniqueColumn> make_overlap_columns() {
  std::vector<UniqueColumn> out;
  for (const UniqueColumn& column : unique_arguments) {
    out.push_back(column);
    if (out.size() == 1) out.push_back(overlapping_names_column);
    if (column.cell == short_details_cell) out.insert(out.end(), overlap_figures.begin(), overlap_figures.end());
  }
  out.push_back(overlapping_count_column);
  return out;
}
}  // namespace

std::span<const Column<CategoryRow>> category_columns() { return by_category; }
std::span<const Column<OperatorRow>> operator_columns() { return by_name; }
std::span<const Column<UniqueArgumentsRow>> unique_arguments_columns() { return unique_arguments; }
std::span<const Column<UniqueArgumentsRow>> overlap_columns() {
  static const std::vector<UniqueColumn> columns = make_overlap_columns();
  return columns;
}
}  // namespace kinetoscope::analysis
