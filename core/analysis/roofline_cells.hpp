#pragma once

// Cells of rooflines, and what they mean, as the sheets of modelled work have them; the headings are the sheets' own.
// The columns are there with a platform only.

#include <string>
#include <string_view>

#include "core/base/cell.hpp"
#include "core/analysis/call_rooflines.hpp"
#include "core/analysis/model_cells.hpp"
#include "core/analysis/table_options.hpp"

namespace kinetoscope::analysis {

[[nodiscard]] inline bool has_platform(const TableOptions& options) { return options.platform.named.has_value(); }

inline constexpr std::string_view roofline_bound_meaning =
    "What limits the row's first call on the platform: COMPUTE_BOUND where its FLOPs take as long as its bytes or "
    "longer, else MEMORY_BOUND, or LINK_BOUND where what a collective sends takes longest. Missing where its roofline "
    "is.";
inline constexpr std::string_view roofline_time_meaning =
    "How long the row's first call takes at least on the platform: the longer of FLOPs over the ceiling of its compute "
    "spec and bytes over the peak bandwidth of device memory. Missing without a model, and without a ceiling; "
    "roofline_remark says why.";
inline constexpr std::string_view roofline_percent_meaning =
    "Over the row's calls, of the call's roofline as a share of its kernel time: 100 is as fast as the platform "
    "allows. "
    "Missing without a roofline, or without time.";
inline constexpr std::string_view roofline_ceiling_meaning =
    "The ceiling that FLOPs are held against: the measured figure where there is one, else the dense peak. Missing "
    "without arithmetic, and where the platform has none.";
inline constexpr std::string_view roofline_remark_meaning =
    "Why the roofline is missing, or only a lower bound. \"ceiling of\" names the compute spec whose ceiling is taken "
    "where the platform has none of the call's own. fits_cache: memory would be the limit, but the call's bytes fit "
    "the last-level cache, so that device memory need not be. above_roofline: the calls took less time than they can, "
    "and the cache does not explain it: the model claims too much work. Missing where there is nothing to say.";

[[nodiscard]] Cell roofline_bound_cell(const WorkRoofline& row);
/// In microseconds.
[[nodiscard]] Cell roofline_time_cell(const WorkRoofline& row);
[[nodiscard]] Cell roofline_ceiling_cell(const WorkRoofline& row);
template <double RealStatistics::*figure>
[[nodiscard]] Cell roofline_percent_cell(const WorkRoofline& row) {
  return rate_cell<figure>(row.percent);
}
[[nodiscard]] inline Cell roofline_deviation_cell(const WorkRoofline& row) { return rate_deviation_cell(row.percent); }

/// "lower bound: no matrix_fp4 path on MI300X; above_roofline". `estimate` is the first call's, nullptr without a
/// model.
[[nodiscard]] std::string roofline_remark(const WorkRoofline& row, const perf_model::Estimate* estimate);
[[nodiscard]] inline Cell roofline_remark_cell(const WorkRoofline& row, const perf_model::Estimate* estimate) {
  std::string remark = roofline_remark(row, estimate);
  return remark.empty() ? Cell() : Cell(std::move(remark));
}
}  // namespace kinetoscope::analysis
