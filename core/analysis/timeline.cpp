#include "core/analysis/timeline.hpp"

#include <algorithm>
#include <utility>

namespace kinetoscope::analysis {
namespace {

/// Splits the time in `span` that `busy` leaves by the length of its gaps.
void split_idle(Timeline& out, const IntervalSet& busy, Interval span, std::int64_t micro_idle_ns) {
  std::int64_t free_since_ns = span.begin_ns;
  const auto gap_until = [&](std::int64_t end_ns) {
    const std::int64_t gap_ns = end_ns - free_since_ns;
    (gap_ns < micro_idle_ns ? out.micro_idle_ns : out.macro_idle_ns) += gap_ns;
  };
  for (const Interval& work : busy.intervals()) {
    gap_until(work.begin_ns);
    free_since_ns = work.end_ns;
  }
  gap_until(span.end_ns);
}
}  // namespace

void TimelineMeasurement::add(GpuBucket bucket, Interval extent) {
  ++events_;
  first_ns_ = std::min(first_ns_, extent.begin_ns);
  last_ns_ = std::max(last_ns_, extent.end_ns);
  by_bucket_[static_cast<std::size_t>(bucket)].push_back(extent);
}

std::optional<Interval> TimelineMeasurement::span() const noexcept {
  if (events_ == 0) return {};
  return Interval{first_ns_, last_ns_};
}

Timeline TimelineMeasurement::finish(std::optional<std::int64_t> micro_idle_ns) && {
  Timeline out;
  const std::optional<Interval> extent = span();
  if (!extent) return out;
  const auto of = [&](GpuBucket bucket) {
    return IntervalSet(std::move(by_bucket_[static_cast<std::size_t>(bucket)]));
  };
  const IntervalSet computation = of(GpuBucket::computation);
  const IntervalSet communication = of(GpuBucket::communication);
  const IntervalSet copies = of(GpuBucket::memcpy);
  const IntervalSet exposed_communication = without(communication, computation);
  const IntervalSet exposed_copies = without(without(copies, computation), communication);
  const IntervalSet busy = united(united(computation, communication), copies);
  out.events = events_;
  out.computation_ns = computation.total_ns();
  out.exposed_communication_ns = exposed_communication.total_ns();
  out.exposed_memcpy_ns = exposed_copies.total_ns();
  out.busy_ns = busy.total_ns();
  out.total_ns = extent->end_ns - extent->begin_ns;
  out.idle_ns = out.total_ns - out.busy_ns;
  split_idle(out, busy, *extent, micro_idle_ns.value_or(0));
  out.communication_ns = communication.total_ns();
  out.memcpy_ns = copies.total_ns();
  return out;
}

Timeline measure_timeline(const Trace& trace, const GpuBuckets& buckets, std::span<const EventId> events,
                          std::optional<std::int64_t> micro_idle_ns) {
  TimelineMeasurement measurement;
  for (const EventId event : events) {
    if (const std::optional<Interval> extent = trace.extent(event)) measurement.add(buckets.of(event), *extent);
  }
  return std::move(measurement).finish(micro_idle_ns);
}
}  // namespace kinetoscope::analysis
