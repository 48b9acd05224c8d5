#include "core/analysis/loss_waterfall.hpp"

#include <algorithm>
#include <cmath>

namespace kinetoscope::analysis {
namespace {

constexpr double largest_whole_count = 1e28;

constexpr std::array waterfall_counted_parts = {
    WaterfallPart::exposed_communication,
    WaterfallPart::exposed_copies,
    WaterfallPart::unmodelled_work,
    WaterfallPart::recompute,
};
constexpr std::array waterfall_ideal_parts = {
    WaterfallPart::memory_bound,
    WaterfallPart::vector_work,
    WaterfallPart::ceiling_below_peak,
    WaterfallPart::achieved,
};

constexpr std::size_t waterfall_place(WaterfallPart part) noexcept { return static_cast<std::size_t>(part); }
}  // namespace

WideSum whole_count(double claimed) noexcept {
  if (!(claimed > 0)) return 0;
  return static_cast<WideSum>(std::round(std::min(claimed, largest_whole_count)));
}

IdealTime ideal_time(const perf_model::Roofline& roofline, perf_model::ComputeUnit unit, double at_peak_ns) {
  constexpr auto fs_per_ns = static_cast<double>(femtoseconds_per_ns);
  IdealTime ideal;
  ideal.at_peak_fs = whole_count(at_peak_ns * fs_per_ns);
  ideal.roofline_fs = std::max(whole_count(roofline.time_ns.value_or(0) * fs_per_ns), ideal.at_peak_fs);
  if (roofline.bound == perf_model::Bound::memory || roofline.bound == perf_model::Bound::link) {
    ideal.beyond_peak = WaterfallPart::memory_bound;
  } else {
    ideal.beyond_peak =
        unit == perf_model::ComputeUnit::matrix ? WaterfallPart::ceiling_below_peak : WaterfallPart::vector_work;
  }
  return ideal;
}

void LossSums::add_call(const IdealTime& ideal, WideSum counted_ns) {
  const WideSum counted_fs = counted_ns * femtoseconds_per_ns;
  const WideSum roofline_fs = std::min(ideal.roofline_fs, counted_fs);
  const WideSum at_peak_fs = std::min(ideal.at_peak_fs, roofline_fs);
  if (ideal.roofline_fs > counted_fs) {
    ++calls_above_;
    excess_fs_ += ideal.roofline_fs - counted_fs;
  }
  calls_ns_ += counted_ns;
  ideal_fs_[waterfall_place(ideal.beyond_peak)] += roofline_fs - at_peak_fs;
  ideal_fs_[waterfall_place(WaterfallPart::achieved)] += at_peak_fs;
  ideal_fs_[waterfall_place(WaterfallPart::at_peak)] += ideal.at_peak_fs;
}

LossWaterfall LossSums::finish(WideSum total_ns) const {
  std::array<WideSum, waterfall_parts.size()> times_ns{};
  const auto time = [&](WaterfallPart part) -> WideSum& { return times_ns[waterfall_place(part)]; };
  time(WaterfallPart::total_time) = total_ns;
  time(WaterfallPart::idle) = total_ns - calls_ns_;
  for (const WaterfallPart part : waterfall_counted_parts) {
    time(part) = counted_ns_[waterfall_place(part)];
    time(WaterfallPart::idle) -= time(part);
  }
  time(WaterfallPart::kernel_inefficiency) = calls_ns_;
  for (const WaterfallPart part : waterfall_ideal_parts) {
    time(part) = ideal_fs_[waterfall_place(part)] / femtoseconds_per_ns;
    time(WaterfallPart::kernel_inefficiency) -= time(part);
  }
  time(WaterfallPart::at_peak) = ideal_fs_[waterfall_place(WaterfallPart::at_peak)] / femtoseconds_per_ns;
  time(WaterfallPart::above_roofline) = time(WaterfallPart::at_peak) - time(WaterfallPart::achieved);
  LossWaterfall out;
  for (const auto& [part, spelling] : waterfall_parts) {
    WaterfallRow& row = out.rows[waterfall_place(part)];
    row.part = part;
    row.time_ns = time(part);
    if (total_ns > 0) row.share = static_cast<double>(row.time_ns) / static_cast<double>(total_ns);
  }
  out.calls_above_roofline = calls_above_;
  out.above_roofline_excess_ns = excess_fs_ / femtoseconds_per_ns;
  return out;
}
}  // namespace kinetoscope::analysis
