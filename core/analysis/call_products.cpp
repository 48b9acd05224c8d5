#include "core/analysis/call_products.hpp"

#include <algorithm>

namespace kinetoscope::analysis {

using perf_model::Fp32Products;

bool CallProducts::is_tf32(NameId kernel) {
  constexpr std::uint8_t unasked = 0;
  if (kernel == no_name) return false;
  if (is_tf32_.empty()) is_tf32_.assign(trace_->names_count(), unasked);
  std::uint8_t& memo = is_tf32_[index_of(kernel)];
  if (memo == unasked) memo = perf_model::fp32_products_of(trace_->text(kernel)) == Fp32Products::tf32 ? 2 : 1;
  return memo == 2;
}

Fp32Products CallProducts::of(std::size_t place, const perf_model::Estimate& estimate) {
  if (estimate.unit != perf_model::ComputeUnit::matrix || estimate.precision != perf_model::Precision::fp32) {
    return Fp32Products::exact;
  }
  const std::span<const EventId> events = work_->calls.events_of(work_->calls.launchers[place]);
  const bool is_any = std::ranges::any_of(events, [&](EventId event) { return is_tf32(trace_->name(event)); });
  return is_any ? Fp32Products::tf32 : Fp32Products::exact;
}
}  // namespace kinetoscope::analysis
