#include "core/analysis/loss_waterfall.hpp"

#include <limits>

#include <doctest/doctest.h>

namespace kinetoscope::analysis {
namespace {

using perf_model::Bound;
using perf_model::ComputeUnit;
using perf_model::Roofline;

Roofline bound_by(Bound bound, double time_ns) {
  Roofline roofline;
  roofline.bound = bound;
  roofline.time_ns = time_ns;
  return roofline;
}

/// Of the rows that total_time is made of.
WideSum sum_of_losses(const LossWaterfall& waterfall) {
  WideSum sum = waterfall.time_ns(WaterfallPart::achieved);
  for (const WaterfallRow& row : waterfall.rows) {
    if (row.part > WaterfallPart::total_time && row.part < WaterfallPart::achieved) sum += row.time_ns;
  }
  return sum;
}
}  // namespace

TEST_CASE("loss waterfall: each call is lost to its own bound, and the rest to its kernels") {
  LossSums sums;
  sums.add(WaterfallPart::exposed_communication, 7);
  sums.add(WaterfallPart::exposed_copies, 5);
  sums.add(WaterfallPart::unmodelled_work, 11);
  sums.add(WaterfallPart::recompute, 13);
  sums.add_call(ideal_time(bound_by(Bound::compute, 60), ComputeUnit::matrix, 40), 100);  // p 40, r 60, c 100
  sums.add_call(ideal_time(bound_by(Bound::memory, 50), ComputeUnit::matrix, 20), 80);    // p 20, r 50, c 80
  sums.add_call(ideal_time(bound_by(Bound::compute, 9), ComputeUnit::vector, 0), 10);     // p 0, r 9, c 10
  const LossWaterfall waterfall = sums.finish(300);
  CHECK(waterfall.time_ns(WaterfallPart::total_time) == 300);
  CHECK(waterfall.time_ns(WaterfallPart::idle) == 300 - 7 - 5 - 11 - 13 - 190);
  CHECK(waterfall.time_ns(WaterfallPart::exposed_communication) == 7);
  CHECK(waterfall.time_ns(WaterfallPart::exposed_copies) == 5);
  CHECK(waterfall.time_ns(WaterfallPart::unmodelled_work) == 11);
  CHECK(waterfall.time_ns(WaterfallPart::recompute) == 13);
  CHECK(waterfall.time_ns(WaterfallPart::memory_bound) == 30);
  CHECK(waterfall.time_ns(WaterfallPart::vector_work) == 9);
  CHECK(waterfall.time_ns(WaterfallPart::ceiling_below_peak) == 20);
  CHECK(waterfall.time_ns(WaterfallPart::kernel_inefficiency) == 40 + 30 + 1);
  CHECK(waterfall.time_ns(WaterfallPart::achieved) == 60);
  CHECK(waterfall.time_ns(WaterfallPart::above_roofline) == 0);
  CHECK(waterfall.time_ns(WaterfallPart::at_peak) == 60);
  CHECK(sum_of_losses(waterfall) == 300);
  CHECK(waterfall.calls_above_roofline == 0);
  CHECK(*waterfall.rows[static_cast<std::size_t>(WaterfallPart::achieved)].share == 0.2);
}

TEST_CASE("loss waterfall: a call faster than its roofline is cut to its time, and what was cut is told") {
  LossSums sums;
  sums.add_call(ideal_time(bound_by(Bound::compute, 60), ComputeUnit::matrix, 40), 50);  // r cut by 10, p stays
  sums.add_call(ideal_time(bound_by(Bound::compute, 60), ComputeUnit::matrix, 40), 30);  // r cut by 30, p by 10
  sums.add_call(ideal_time(bound_by(Bound::memory, 60), ComputeUnit::matrix, 40), 0);    // hidden: all is cut
  const LossWaterfall waterfall = sums.finish(80);
  CHECK(waterfall.time_ns(WaterfallPart::ceiling_below_peak) == 10);
  CHECK(waterfall.time_ns(WaterfallPart::memory_bound) == 0);
  CHECK(waterfall.time_ns(WaterfallPart::kernel_inefficiency) == 0);
  CHECK(waterfall.time_ns(WaterfallPart::achieved) == 70);
  CHECK(waterfall.time_ns(WaterfallPart::above_roofline) == 50);
  CHECK(waterfall.time_ns(WaterfallPart::at_peak) == 120);
  CHECK(waterfall.calls_above_roofline == 3);
  CHECK(waterfall.above_roofline_excess_ns == 10 + 30 + 60);
}

TEST_CASE("loss waterfall: a ceiling above the peak loses nothing below it") {
  const IdealTime ideal = ideal_time(bound_by(Bound::compute, 30), ComputeUnit::matrix, 40);
  CHECK(ideal.roofline_fs == 40 * femtoseconds_per_ns);
  CHECK(ideal.at_peak_fs == 40 * femtoseconds_per_ns);
}

TEST_CASE("loss waterfall: parts of a nanosecond are cut where rows are made, not call by call") {
  LossSums sums;
  // 1,000 calls of 3 ns, each 0.6 ns at peak and 1.2 ns by its roofline.
  for (int i = 0; i < 1000; ++i) {
    sums.add_call(ideal_time(bound_by(Bound::compute, 1.2), ComputeUnit::matrix, 0.6), 3);
  }
  // 0.7 + 0.7 + 0.7 would be 2.1 of 2 ns if each were rounded up.
  sums.add_call(ideal_time(bound_by(Bound::memory, 2), ComputeUnit::matrix, 0.7), 2);
  const LossWaterfall waterfall = sums.finish(3002);
  CHECK(waterfall.time_ns(WaterfallPart::achieved) == 600);  // 600.7
  CHECK(waterfall.time_ns(WaterfallPart::ceiling_below_peak) == 600);
  CHECK(waterfall.time_ns(WaterfallPart::memory_bound) == 1);            // 1.3
  CHECK(waterfall.time_ns(WaterfallPart::kernel_inefficiency) == 1801);  // 1800, and what was cut
  CHECK(waterfall.time_ns(WaterfallPart::idle) == 0);
  CHECK(sum_of_losses(waterfall) == 3002);
}

TEST_CASE("loss waterfall: what a model claims has a limit, and claims of nothing are none") {
  CHECK(whole_count(2.5e28) == whole_count(1e28));
  CHECK(whole_count(std::numeric_limits<double>::infinity()) == whole_count(1e28));
  CHECK(whole_count(std::numeric_limits<double>::quiet_NaN()) == 0);
  CHECK(whole_count(-3) == 0);
  CHECK(whole_count(2.6) == 3);
  LossSums sums;
  for (int i = 0; i < 1000; ++i)
    sums.add_call(ideal_time(bound_by(Bound::compute, 1e300), ComputeUnit::matrix, 1e300), 1);
  const LossWaterfall waterfall = sums.finish(1000);
  CHECK(waterfall.time_ns(WaterfallPart::achieved) == 1000);
  CHECK(waterfall.time_ns(WaterfallPart::at_peak) == whole_count(1e28) / 1000);  // 1,000 times 10^28 fs
  CHECK(waterfall.time_ns(WaterfallPart::above_roofline) == whole_count(1e28) / 1000 - 1000);
}

TEST_CASE("loss waterfall: without time there are no shares") {
  const LossWaterfall waterfall = LossSums().finish(0);
  for (const WaterfallRow& row : waterfall.rows) {
    CHECK(row.time_ns == 0);
    CHECK(row.share == Known<double>(Reason::not_applicable));
  }
}
}  // namespace kinetoscope::analysis
