#include "core/analysis/call_demands.hpp"

#include <fmt/format.h>

#include "core/perf_model/structured_sparsity.hpp"

namespace kinetoscope::analysis {
namespace {

using perf_model::ComputeUnit;
using perf_model::Fp32Products;

constexpr double flops_per_ns_of_tflops = 1e3;

DensePeak dense_peak_of(const perf_model::Platform& platform, const std::string& spec,
                        const perf_model::Ceiling& ceiling) {
  DensePeak peak;
  peak.spec = spec;
  peak.answered_by = ceiling.answered_by;
  peak.tflops = ceiling.peak ? ceiling.peak : ceiling.figure;
  peak.is_estimated = ceiling.is_estimated;
  peak.reason = ceiling.reason;
  if (!ceiling.note.empty()) peak.notes.push_back(ceiling.note);
  if (!peak.tflops) return peak;
  if (peak.tflops->kind == perf_model::FigureKind::measured) {
    peak.notes.push_back(fmt::format("no peak of {} is known: held against what a run reached", peak.answered_by));
    return peak;
  }
  const std::optional<double> sparse = perf_model::peak_with_sparsity(platform, peak.answered_by, peak.tflops->value);
  if (sparse) {
    const std::string_view unit = peak.answered_by == "matrix_int8" ? "TOP/s" : "TFLOP/s";
    peak.notes.push_back(fmt::format(
        "twice that, {:.6g} {}, is the figure with 2:4 sparsity, which dense work cannot reach", *sparse, unit));
  }
  return peak;
}
}  // namespace

CallDemands::CallDemands(const Trace& trace, const OperatorWork& work, const CallEstimates& estimates,
                         const perf_model::Platform& platform)
    : work_(&work), estimates_(&estimates), platform_(&platform), products_(trace, work) {
  without_model_.reason = perf_model::spelling_of(perf_model::Gap::not_modelled);
  by_estimate_.resize(2 * estimates.size(), nullptr);
}

const CallDemand& CallDemands::of(std::size_t call) {
  const std::uint32_t number = work_->work[call].estimate;
  if (number == CallEstimates::none) return without_model_;
  const perf_model::Estimate& estimate = estimates_->estimate(number);
  const Fp32Products products = products_.of(call, estimate);
  const CallDemand*& known = by_estimate_[2 * std::size_t{number} + (products == Fp32Products::tf32 ? 1 : 0)];
  if (known == nullptr) known = &demands_.emplace_back(demand_of(estimate, products));
  return *known;
}

std::uint32_t CallDemands::peak_of(const std::string& spec, Fp32Products products) {
  const perf_model::Ceiling ceiling = ceiling_of(*platform_, spec, products);
  const auto [found, is_new] =
      peak_numbers_.try_emplace({spec, ceiling.answered_by}, static_cast<std::uint32_t>(peaks_.size()));
  if (is_new) peaks_.push_back(dense_peak_of(*platform_, spec, ceiling));
  return found->second;
}

CallDemand CallDemands::demand_of(const perf_model::Estimate& estimate, Fp32Products products) {
  CallDemand demand;
  if (estimate.bytes_moved) demand.bytes_moved = whole_count(*estimate.bytes_moved);
  double at_peak_ns = 0;
  if (estimate.unit == ComputeUnit::vector) demand.vector_flops = whole_count(estimate.flops.value_or(0));
  if (estimate.unit == ComputeUnit::matrix) demand.matrix_flops = whole_count(estimate.flops.value_or(0));
  const std::string spec = compute_spec(estimate.unit, estimate.precision);
  if (demand.matrix_flops > 0 && !spec.empty()) {
    demand.peak = peak_of(spec, products);
    const std::optional<perf_model::Figure>& tflops = peaks_[demand.peak].tflops;
    demand.has_peak_figure = tflops.has_value();
    if (tflops) at_peak_ns = *estimate.flops / (tflops->value * flops_per_ns_of_tflops);
  }
  const perf_model::Roofline roofline = roofline_of(estimate, *platform_, products);
  if (roofline.time_ns) {
    demand.ideal = ideal_time(roofline, estimate.unit, at_peak_ns);
  } else {
    demand.reason = roofline.reason.empty() ? "neither FLOPs nor bytes" : roofline.reason;
  }
  return demand;
}
}  // namespace kinetoscope::analysis
