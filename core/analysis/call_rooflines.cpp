#include "core/analysis/call_rooflines.hpp"

#include <algorithm>

namespace kinetoscope::analysis {
namespace {

using perf_model::Fp32Products;
using perf_model::Roofline;

constexpr std::uint32_t not_evaluated = 0xffff'ffff;

void add_call(RooflineTotals& totals, double roofline_ns, const Launcher& call, const perf_model::Estimate& estimate) {
  totals.add({.calls = 1,
              .kernel_ns = call.direct_ns,
              .counted_ns = call.counted_ns,
              .flops = estimate.flops.value_or(0),
              .bytes_moved = estimate.bytes_moved.value_or(0),
              .time_ns = roofline_ns,
              .recoverable_ns = std::max(0.0, static_cast<double>(call.counted_ns) - roofline_ns)});
}
}  // namespace

void RooflineTotals::add(const RooflineTotals& other) noexcept {
  calls += other.calls;
  kernel_ns += other.kernel_ns;
  counted_ns += other.counted_ns;
  flops += other.flops;
  bytes_moved += other.bytes_moved;
  time_ns += other.time_ns;
  recoverable_ns += other.recoverable_ns;
}

CallRooflines::CallRooflines(const TableInput& input, const OperatorWork& work, const CallEstimates& estimates)
    : work_(&work),
      estimates_(&estimates),
      platform_(input.options().platform.named ? &*input.options().platform.named : nullptr),
      products_(input.trace(), work) {}

const Roofline* CallRooflines::of(std::uint32_t place) {
  const std::uint32_t number = work_->work[place].estimate;
  if (platform_ == nullptr || number == CallEstimates::none) return nullptr;
  const perf_model::Estimate& estimate = estimates_->estimate(number);
  const Fp32Products products = products_.of(place, estimate);
  const std::size_t key = std::size_t{number} * 2 + (products == Fp32Products::tf32 ? 1 : 0);
  if (numbers_.size() <= key) numbers_.resize(key + 1, not_evaluated);
  if (numbers_[key] == not_evaluated) {
    numbers_[key] = static_cast<std::uint32_t>(rooflines_.size());
    rooflines_.push_back(perf_model::roofline_of(estimate, *platform_, products));
  }
  return &rooflines_[numbers_[key]];
}

WorkRoofline CallRooflines::of_row(std::span<const std::uint32_t> places) {
  WorkRoofline row;
  if (platform_ == nullptr || places.empty()) return row;
  if (const Roofline* const first = of(places.front())) row.first = *first;
  percents_.clear();
  for (const std::uint32_t place : places) {
    const Roofline* const roofline = of(place);
    if (roofline == nullptr || !roofline->time_ns) continue;
    const Launcher& call = work_->calls.launchers[place];
    add_call(row.totals, *roofline->time_ns, call, estimates_->estimate(work_->work[place].estimate));
    if (call.direct_ns > 0) percents_.push_back(*roofline->time_ns / static_cast<double>(call.direct_ns) * 100);
  }
  row.percent = statistics_of(percents_);
  return row;
}
}  // namespace kinetoscope::analysis
