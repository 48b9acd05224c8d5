#include "core/report/table_sheets.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <span>
#include <utility>

#include "core/analysis/category_sheet_columns.hpp"
#include "core/analysis/collective_summary_columns.hpp"
#include "core/analysis/kernel_summary_columns.hpp"
#include "core/analysis/operator_columns.hpp"
#include "core/analysis/short_kernels_columns.hpp"
#include "core/analysis/timeline_columns.hpp"
#include "core/analysis/unified_summary_columns.hpp"
#include "core/report/category_sheets.hpp"

namespace kinetoscope::report {
namespace {

using analysis::Column;
using analysis::TableOptions;
using analysis::Tables;

enum class SheetId : std::uint8_t {
  gpu_timeline,
  gpu_timeline_by_device,
  gpu_timeline_by_step,
  ops_summary_by_category,
  ops_summary,
  ops_unique_args,
  ops_unique_args_kl_overlap,
  unified_perf_summary,
  kernel_summary,
  short_kernel_histogram,
  short_kernels_summary,
  coll_analysis,
};

struct SheetFacts {
  SheetId sheet{};
  std::string_view name;
  std::string_view caption;
  std::string_view asked_by;
  EmptySheet when_empty = EmptySheet::left_out;
};
/// In the order of the files.
constexpr std::array facts = {
    SheetFacts{SheetId::gpu_timeline, "gpu_timeline",
               "What the devices' time went to, one figure a row, over the tables' population; streams and devices are "
               "merged.",
               ""},
    SheetFacts{SheetId::gpu_timeline_by_device, "gpu_timeline_by_device",
               "The figures of gpu_timeline for each device by itself, where work ran on several.", ""},
    SheetFacts{SheetId::gpu_timeline_by_step, "gpu_timeline_by_step",
               "The figures of gpu_timeline for the GPU work that each step launched.", ""},
    SheetFacts{
        SheetId::ops_summary_by_category, "ops_summary_by_category",
        "Operators that launched GPU work by what kind of work they do, longest direct time first; communication "
        "is in coll_analysis.",
        ""},
    SheetFacts{
        SheetId::ops_summary, "ops_summary",
        "Operators that launched GPU work by name, longest direct time first; communication is in coll_analysis.", ""},
    SheetFacts{SheetId::ops_unique_args, "ops_unique_args",
               "Operators that launched GPU work by name, thread and arguments, longest direct time first; "
               "communication is in coll_analysis.",
               ""},
    SheetFacts{SheetId::ops_unique_args_kl_overlap, "ops_unique_args_kl_overlap",
               "ops_unique_args, by what ran at the same time on other streams, too.", "--overlap"},
    SheetFacts{
        SheetId::unified_perf_summary, "unified_perf_summary",
        "All GPU work of operators but communication, each kernel in one row, with what models say of it; longest "
        "kernel time first.",
        ""},
    SheetFacts{SheetId::kernel_summary, "kernel_summary",
               "Kernels by operator, name and stream, over all kernels in scope, longest first; those without a launch "
               "are rows of category unlinked.",
               "--kernel-summary"},
    SheetFacts{SheetId::short_kernel_histogram, "short_kernel_histogram",
               "How many kernels of the tables' population are shorter than --short-kernel-us, by duration.",
               "--short-kernels", EmptySheet::header_only},
    SheetFacts{SheetId::short_kernels_summary, "short_kernels_summary",
               "Short kernels by the operator that launched them and its arguments, longest sum first.",
               "--short-kernels", EmptySheet::blank_line},
    SheetFacts{SheetId::coll_analysis, "coll_analysis",
               "Messages between ranks by group, kind, type and size, over communication kernels of the tables' "
               "population, longest sum first.",
               ""},
};

constexpr const SheetFacts& facts_of(SheetId sheet) { return facts[static_cast<std::size_t>(sheet)]; }

constexpr bool facts_follow_enum() {
  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (static_cast<std::size_t>(facts[i].sheet) != i) return false;
  }
  return facts.size() == static_cast<std::size_t>(SheetId::coll_analysis) + 1;
}
static_assert(facts_follow_enum());

/// An option that adds columns.
struct ColumnOption {
  std::string_view option;
  void (*ask)(TableOptions&) = nullptr;
};
template <bool TableOptions::*flag>
constexpr void set_flag(TableOptions& options) {
  options.*flag = true;
}
void name_platform(TableOptions& options) { options.platform = analysis::named_platform({}); }
constexpr std::array column_options = {
    ColumnOption{"--detect-recompute", set_flag<&TableOptions::detects_recompute>},
    ColumnOption{"--group-by-parent-module", set_flag<&TableOptions::groups_by_parent_module>},
    ColumnOption{"--group-by-num-kernels", set_flag<&TableOptions::groups_by_kernel_count>},
    ColumnOption{"--call-stack", set_flag<&TableOptions::has_call_stack>},
    ColumnOption{"--first-occurrence", set_flag<&TableOptions::has_first_occurrence>},
    ColumnOption{"--overlap", set_flag<&TableOptions::has_overlap>},
    ColumnOption{"--platform", name_platform},
};

template <typename Row>
std::string_view asked_by(const Column<Row>& column) {
  if (column.is_wanted == nullptr || column.is_wanted(TableOptions())) return "";
  for (const ColumnOption& option : column_options) {
    TableOptions asking;
    option.ask(asking);
    if (column.is_wanted(asking)) return option.option;
  }
  return "";
}

template <typename Row>
DescribedSheet described(SheetId sheet, std::span<const Column<Row>> columns) {
  DescribedSheet out = {std::string(facts_of(sheet).name), {}, facts_of(sheet).caption, facts_of(sheet).asked_by, {}};
  for (const Column<Row>& column : columns) out.columns.push_back({sheet_column(column), asked_by(column)});
  return out;
}

/// One for all families: parameters, which differ, are one column.
DescribedSheet described_category_sheets() {
  std::vector<std::string> names = analysis::category_sheet_names();
  DescribedSheet out = {names.front(), {}, category_sheet_caption, "", {}};
  out.also_named.assign(std::next(names.begin()), names.end());
  for (const auto& column : analysis::category_sheet_columns()) {
    out.columns.push_back({sheet_column(column), asked_by(column)});
    if (out.columns.size() > 1) continue;
    out.columns.push_back({{analysis::parameter_heading("NAME"), "", std::string(analysis::parameter_meaning)}, ""});
  }
  return out;
}

template <typename Row>
Sheet sheet_of(SheetId sheet, const std::vector<Row>& rows, std::span<const Column<Row>> columns,
               const TableOptions& options, std::string_view why_empty) {
  Sheet out = make_sheet<Row>(std::string(facts_of(sheet).name), std::string(facts_of(sheet).caption), rows,
                              analysis::wanted_columns<Row>(columns, options));
  out.when_empty = facts_of(sheet).when_empty;
  if (rows.empty()) out.why_empty = why_empty;
  return out;
}

Sheet absent(SheetId sheet, std::string why) {
  Sheet out;
  out.name = facts_of(sheet).name;
  out.caption = facts_of(sheet).caption;
  out.why_empty = std::move(why);
  return out;
}

Sheet not_asked_for(SheetId sheet) {
  return absent(sheet, "not asked for: " + std::string(facts_of(sheet).asked_by) + " adds it");
}

void add_timelines(const Tables& tables, std::vector<Sheet>& sheets) {
  const TableOptions& options = tables.options;
  sheets.push_back(sheet_of(SheetId::gpu_timeline, tables.timeline.rows, analysis::timeline_columns(), options,
                            "no GPU work is in scope"));
  sheets.push_back(sheet_of(SheetId::gpu_timeline_by_device, tables.timeline.by_device,
                            analysis::device_timeline_columns(), options, "GPU work ran on one device at the most"));
  sheets.push_back(sheet_of(SheetId::gpu_timeline_by_step, tables.timeline.by_step, analysis::step_timeline_columns(),
                            options, "no step launched GPU work that the tables are over"));
}

void add_operators(const Tables& tables, std::vector<Sheet>& sheets) {
  constexpr std::array all = {SheetId::ops_summary_by_category, SheetId::ops_summary, SheetId::ops_unique_args,
                              SheetId::ops_unique_args_kl_overlap, SheetId::unified_perf_summary};
  const TableOptions& options = tables.options;
  if (!tables.operators) {
    for (const SheetId sheet : all) sheets.push_back(absent(sheet, "the trace has no operators, only GPU work"));
    return;
  }
  constexpr std::string_view none = "no GPU work that the tables are over has a launcher";
  const analysis::OperatorTables& operators = *tables.operators;
  sheets.push_back(
      sheet_of(SheetId::ops_summary_by_category, operators.by_category, analysis::category_columns(), options, none));
  sheets.push_back(sheet_of(SheetId::ops_summary, operators.summary, analysis::operator_columns(), options, none));
  sheets.push_back(sheet_of(SheetId::ops_unique_args, operators.unique_arguments, analysis::unique_arguments_columns(),
                            options, none));
  if (operators.limits.overlaps_not_compared > 0) {
    sheets.push_back(absent(SheetId::ops_unique_args_kl_overlap, "too much GPU work ran at the same time to compare"));
  } else if (options.has_overlap) {
    sheets.push_back(sheet_of(SheetId::ops_unique_args_kl_overlap, operators.with_overlap, analysis::overlap_columns(),
                              options, none));
  } else {
    sheets.push_back(not_asked_for(SheetId::ops_unique_args_kl_overlap));
  }
  sheets.push_back(sheet_of(SheetId::unified_perf_summary, tables.modelled->unified.rows,
                            analysis::unified_summary_columns(), options, none));
  std::ranges::move(sheets_by_category(tables.modelled->by_category, options), std::back_inserter(sheets));
}

void add_kernels(const Tables& tables, std::vector<Sheet>& sheets) {
  if (!tables.kernels) {
    sheets.push_back(not_asked_for(SheetId::kernel_summary));
  } else {
    sheets.push_back(sheet_of(
        SheetId::kernel_summary, *tables.kernels,
        tables.is_gpu_only ? analysis::kernel_summary_columns_without_operators() : analysis::kernel_summary_columns(),
        tables.options, "no kernel is in scope"));
  }
  if (!tables.short_kernels) {
    sheets.push_back(not_asked_for(SheetId::short_kernel_histogram));
    sheets.push_back(not_asked_for(SheetId::short_kernels_summary));
    return;
  }
  constexpr std::string_view none_is_short = "no kernel is so short";
  sheets.push_back(sheet_of(SheetId::short_kernel_histogram, tables.short_kernels->histogram,
                            analysis::short_kernel_histogram_columns(), tables.options, none_is_short));
  sheets.push_back(sheet_of(
      SheetId::short_kernels_summary, tables.short_kernels->rows,
      tables.is_gpu_only ? analysis::short_kernels_columns_without_operators() : analysis::short_kernels_columns(),
      tables.options, none_is_short));
}

void add_collectives(const Tables& tables, std::vector<Sheet>& sheets) {
  if (!tables.collectives) {
    sheets.push_back(absent(SheetId::coll_analysis, "not wanted: --no-collectives"));
    return;
  }
  sheets.push_back(sheet_of(SheetId::coll_analysis, *tables.collectives, analysis::collective_summary_columns(),
                            tables.options, "no communication kernel is among the work that the tables are over"));
}
}  // namespace

std::vector<Sheet> sheets_of(const Tables& tables) {
  std::vector<Sheet> sheets;
  sheets.reserve(facts.size());
  add_timelines(tables, sheets);
  add_operators(tables, sheets);
  add_kernels(tables, sheets);
  add_collectives(tables, sheets);
  return sheets;
}

std::vector<DescribedSheet> described_sheets() {
  return {described(SheetId::gpu_timeline, analysis::timeline_columns()),
          described(SheetId::gpu_timeline_by_device, analysis::device_timeline_columns()),
          described(SheetId::gpu_timeline_by_step, analysis::step_timeline_columns()),
          described(SheetId::ops_summary_by_category, analysis::category_columns()),
          described(SheetId::ops_summary, analysis::operator_columns()),
          described(SheetId::ops_unique_args, analysis::unique_arguments_columns()),
          described(SheetId::ops_unique_args_kl_overlap, analysis::overlap_columns()),
          described(SheetId::unified_perf_summary, analysis::unified_summary_columns()),
          described_category_sheets(),
          described(SheetId::kernel_summary, analysis::kernel_summary_columns()),
          described(SheetId::short_kernel_histogram, analysis::short_kernel_histogram_columns()),
          described(SheetId::short_kernels_summary, analysis::short_kernels_columns()),
          described(SheetId::coll_analysis, analysis::collective_summary_columns())};
}

std::vector<KnownSheet> known_sheets() {
  std::vector<KnownSheet> known;
  for (const DescribedSheet& sheet : described_sheets()) {
    if (!sheet.also_named.empty()) continue;
    KnownSheet& one = known.emplace_back();
    one.name = sheet.name;
    for (const DescribedColumn& column : sheet.columns) one.headings.push_back(column.column.heading);
  }
  std::ranges::move(known_category_sheets(), std::back_inserter(known));
  // Traces without operators have sheets that begin otherwise.
  const auto add = [&](SheetId sheet, const auto& columns) {
    KnownSheet& one = known.emplace_back();
    one.name = facts_of(sheet).name;
    for (const auto& column : columns) one.headings.emplace_back(column.heading);
  };
  add(SheetId::kernel_summary, analysis::kernel_summary_columns_without_operators());
  add(SheetId::short_kernels_summary, analysis::short_kernels_columns_without_operators());
  return known;
}
}  // namespace kinetoscope::report
