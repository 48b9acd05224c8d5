#include "core/analysis/roofline_cells.hpp"

#include <optional>

namespace kinetoscope::analysis {
namespace {

using perf_model::Roofline;

void add_roofline_remark(std::string& remark, const std::string& clause) {
  if (!remark.empty()) remark += "; ";
  remark += clause;
}

/// Bytes that a cache holds may come faster than device memory gives them; arithmetic is no faster for it.
bool is_above_roofline(const Roofline& roofline, const RealStatistics& percent) {
  if (percent.count == 0) return false;
  if (!roofline.fits_cache) return percent.mean > 100;
  return percent.mean * (roofline.compute_ns.value_or(0) / *roofline.time_ns) > 100;
}
}  // namespace

Cell roofline_bound_cell(const WorkRoofline& row) {
  return row.first && row.first->bound ? Cell(std::string(spelling_of(*row.first->bound))) : Cell();
}

Cell roofline_time_cell(const WorkRoofline& row) {
  return row.first && row.first->time_ns ? Cell(*row.first->time_ns / 1e3) : Cell();
}

Cell roofline_ceiling_cell(const WorkRoofline& row) {
  return row.first && row.first->ceiling_tflops > 0 ? Cell(row.first->ceiling_tflops) : Cell();
}

std::string roofline_remark(const WorkRoofline& row, const perf_model::Estimate* estimate) {
  if (estimate == nullptr || !row.first) return std::string(spelling_of(perf_model::Gap::not_modelled));
  const Roofline& roofline = *row.first;
  if (!roofline.time_ns) return roofline.reason.empty() ? "neither arithmetic nor bytes" : roofline.reason;
  std::string remark;
  if (roofline.is_lower_bound) add_roofline_remark(remark, "lower bound: " + roofline.reason);
  const std::string spec = perf_model::compute_spec(estimate->unit, estimate->precision);
  if (!roofline.answered_by.empty() && roofline.answered_by != spec) {
    add_roofline_remark(remark, "ceiling of " + roofline.answered_by);
  }
  if (roofline.fits_cache && roofline.bound == perf_model::Bound::memory) add_roofline_remark(remark, "fits_cache");
  if (is_above_roofline(roofline, row.percent)) add_roofline_remark(remark, "above_roofline");
  return remark;
}
}  // namespace kinetoscope::analysis
