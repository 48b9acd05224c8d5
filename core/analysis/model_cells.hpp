#pragma once

// Cells of what a model says, as the sheets of modelled work have them: figures in the units that users know, missing
// where the model gives none.

#include <optional>
#include <string>

#include "core/base/cell.hpp"
#include "core/base/statistics.hpp"
#include "core/perf_model/estimate.hpp"

namespace kinetoscope::analysis {

[[nodiscard]] inline Cell gflops_cell(const perf_model::Estimate* estimate) {
  return estimate != nullptr && estimate->flops ? Cell(*estimate->flops / 1e9) : Cell();
}
/// Binary: 1,048,576 bytes.
[[nodiscard]] inline Cell mebibytes_cell(const perf_model::Estimate* estimate) {
  constexpr double bytes_per_mebibyte = 1'048'576;
  return estimate != nullptr && estimate->bytes_moved ? Cell(*estimate->bytes_moved / bytes_per_mebibyte) : Cell();
}
[[nodiscard]] inline Cell intensity_cell(const perf_model::Estimate* estimate) {
  const bool is_known = estimate != nullptr && estimate->flops && estimate->bytes_moved && *estimate->bytes_moved > 0;
  return is_known ? Cell(*estimate->flops / *estimate->bytes_moved) : Cell();
}
[[nodiscard]] inline Cell compute_spec_cell(const perf_model::Estimate* estimate) {
  if (estimate == nullptr) return {};
  std::string spec = perf_model::compute_spec(estimate->unit, estimate->precision);
  return spec.empty() ? Cell() : Cell(std::move(spec));
}
[[nodiscard]] inline Cell parameters_cell(const perf_model::Estimate* estimate) {
  const bool has_any = estimate != nullptr && !estimate->parameters.empty();
  return has_any ? Cell(perf_model::printed(estimate->parameters)) : Cell();
}
[[nodiscard]] inline Cell quality_cell(const perf_model::Estimate* estimate) {
  const auto quality = estimate == nullptr ? perf_model::Quality::none : estimate->quality;
  return std::string(spelling_of(quality));
}
/// "step_not_annotated", "argument_not_recorded: causal"; notes behind, with semicolons between.
[[nodiscard]] std::string model_remark(const perf_model::Estimate* estimate);
[[nodiscard]] inline Cell remark_cell(const perf_model::Estimate* estimate) {
  std::string remark = model_remark(estimate);
  return remark.empty() ? Cell() : Cell(std::move(remark));
}

/// Of nanoseconds, in the tables' unit.
[[nodiscard]] inline Cell cell_of_time(double time_ns) { return time_ns / 1e3; }
[[nodiscard]] inline Cell cell_of_time(std::int64_t time_ns) { return microseconds(time_ns); }
[[nodiscard]] inline Cell cell_of_time(WideSum time_ns) { return microseconds(time_ns); }
[[nodiscard]] inline Cell cell_of_time(const Known<double>& time_ns) { return time_ns ? Cell(*time_ns / 1e3) : Cell(); }

/// One figure of rates that there may be none of.
template <double RealStatistics::*figure>
[[nodiscard]] Cell rate_cell(const RealStatistics& rates) {
  return rates.count == 0 ? Cell() : Cell(rates.*figure);
}
[[nodiscard]] inline Cell rate_deviation_cell(const RealStatistics& rates) { return cell_of(rates.sample_deviation); }
}  // namespace kinetoscope::analysis
