#include "core/report/efficiency_json.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "core/report/info_parts.hpp"
#include "core/report/platforms_json.hpp"

namespace kinetoscope::report {
namespace {

Json work_json(const analysis::WorkDone& work) {
  Json out = {{"calls", work.calls}, {"modelled_calls", work.modelled_calls}};
  put_sum(out, "model_flops", work.model_flops);
  put_sum(out, "recomputed_flops", work.recomputed_flops);
  put_sum(out, "flops_without_peak", work.flops_without_peak);
  put_sum(out, "vector_flops", work.vector_flops);
  put_sum(out, "bytes_moved", work.bytes_moved);
  put_sum(out, "recomputed_bytes", work.recomputed_bytes);
  out["calls_without_bytes"] = work.calls_without_bytes;
  return out;
}

Json waterfall_json(const analysis::LossWaterfall& waterfall) {
  Json rows = Json::array();
  for (const analysis::WaterfallRow& row : waterfall.rows) {
    Json out = {{"part", spelling_of(row.part)}};
    put_sum(out, "time_ns", row.time_ns);
    put_known(out, "share", row.share);
    rows.push_back(std::move(out));
  }
  Json out = {{"rows", std::move(rows)}, {"calls_above_roofline", waterfall.calls_above_roofline}};
  put_sum(out, "above_roofline_excess_ns", waterfall.above_roofline_excess_ns);
  return out;
}

Json unmodelled_json(const analysis::UnmodelledWork& unmodelled) {
  Json operators = Json::array();
  for (const analysis::UnmodelledOperator& one : unmodelled.operators) {
    Json out = {{"name", text_json(one.name)}, {"is_kernel", one.is_kernel}};
    put_sum(out, "counted_ns", one.counted_ns);
    put_known(out, "share", one.share);
    out["reason"] = text_json(one.reason);
    operators.push_back(std::move(out));
  }
  return {{"names_total", unmodelled.names}, {"operators", std::move(operators)}};
}

Json utilisation_json(const analysis::Utilisation& part) {
  Json out = Json::object();
  put_sum(out, "time_ns", part.time_ns);
  put_known(out, "mfu", part.mfu);
  put_known(out, "hfu", part.hfu);
  put_known(out, "mbu", part.mbu);
  out["is_above_peak"] = is_above_peak(part);
  put_known(out, "tflops_per_s", part.tflops_per_s);
  put_known(out, "gigabytes_per_s", part.gigabytes_per_s);
  out["work"] = work_json(part.work);
  out["waterfall"] = waterfall_json(part.waterfall);
  out["unmodelled"] = unmodelled_json(part.unmodelled);
  return out;
}

Json peak_json(const analysis::PeakUse& use) {
  Json out = {{"spec", use.peak.spec}, {"answered_by", use.peak.answered_by}};
  out["tflops"] = figure_json(use.peak.tflops);
  if (!use.peak.tflops) out["tflops_reason"] = text_json(use.peak.reason);
  out["is_estimated"] = use.peak.is_estimated;
  put_sum(out, "model_flops", use.model_flops);
  put_sum(out, "recomputed_flops", use.recomputed_flops);
  put_known(out, "tflops_per_s", use.tflops_per_s);
  put_known(out, "mfu", use.mfu);
  out["notes"] = Json::array();
  for (const std::string& note : use.peak.notes) out["notes"].push_back(text_json(note));
  return out;
}
}  // namespace

bool is_above_peak(const analysis::Utilisation& part) {
  const auto is_above = [](const Known<double>& share) { return share && *share > 1; };
  return is_above(part.mfu) || is_above(part.hfu) || is_above(part.mbu);
}

Json efficiency_json(const analysis::Efficiency& efficiency, std::size_t most_steps) {
  Json out = {{"devices", efficiency.devices}, {"untimed_calls", efficiency.untimed_calls}};
  out["bandwidth_gbps"] = figure_json(efficiency.bandwidth_gbps);
  out["peaks"] = Json::array();
  for (const analysis::PeakUse& use : efficiency.peaks) out["peaks"].push_back(peak_json(use));
  out["whole"] = utilisation_json(efficiency.whole);
  out["steps_total"] = efficiency.by_step.size();
  out["steps"] = Json::array();
  const std::size_t shown = std::min(most_steps, efficiency.by_step.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const analysis::StepUtilisation& step = efficiency.by_step[i];
    Json row = {{"step", index_of(step.step)}, {"name", text_json(step.name)}};
    row.update(utilisation_json(step.part));
    out["steps"].push_back(std::move(row));
  }
  out["outside_steps"] = work_json(efficiency.outside_steps);
  return out;
}
}  // namespace kinetoscope::report
