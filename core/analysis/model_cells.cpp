#include "core/analysis/model_cells.hpp"

namespace kinetoscope::analysis {

std::string model_remark(const perf_model::Estimate* estimate) {
  if (estimate == nullptr) return std::string(spelling_of(perf_model::Gap::not_modelled));
  std::string out;
  if (estimate->gap) {
    out = spelling_of(*estimate->gap);
    if (!estimate->gap_detail.empty()) out += ": " + estimate->gap_detail;
  }
  for (const auto& known : perf_model::notes) {
    if (!estimate->notes.has(known.value)) continue;
    if (!out.empty()) out += "; ";
    out += known.spelling;
  }
  return out;
}
}  // namespace kinetoscope::analysis
