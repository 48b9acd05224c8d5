#include "core/analysis/gpu_population.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/interval_set.hpp"
#include "core/names/kernel_names.hpp"

namespace kinetoscope::analysis {
namespace {

constexpr std::uint8_t unclassified = 0xff;

/// Sums of hostile durations stop at the largest number.
std::int64_t saturating_sum(std::int64_t left, std::int64_t right) noexcept {
  std::int64_t sum = 0;
  return __builtin_add_overflow(left, right, &sum) ? INT64_MAX : sum;
}

GpuBucket bucket_of_kernel(std::string_view name) {
  const names::KernelKind kind = names::classify_kernel(name).kind;
  if (kind == names::KernelKind::communication) return GpuBucket::communication;
  return kind == names::KernelKind::memory_copy ? GpuBucket::memcpy : GpuBucket::computation;
}

/// Collects intervals by bucket; what ran is measured at the end.
class Measurement {
 public:
  Measurement(const Trace& trace, const GpuBuckets& buckets) : trace_(trace), buckets_(buckets) {}

  void add(EventId event, const std::int64_t* clipped_end_ns) {
    ++out_.events;
    std::optional<Interval> extent = trace_.extent(event);
    if (!extent) {
      ++out_.untimed;
      return;
    }
    if (clipped_end_ns != nullptr) extent->end_ns = *clipped_end_ns;
    out_.kernel_sum_ns = saturating_sum(out_.kernel_sum_ns, extent->end_ns - extent->begin_ns);
    first_ns_ = std::min(first_ns_, extent->begin_ns);
    last_ns_ = std::max(last_ns_, extent->end_ns);
    all_.push_back(*extent);
    by_bucket_[static_cast<std::size_t>(buckets_.of(event))].push_back(*extent);
  }

  GpuPopulation finish() && {
    const auto of = [&](GpuBucket bucket) { return std::move(by_bucket_[static_cast<std::size_t>(bucket)]); };
    const IntervalSet computation(of(GpuBucket::computation));
    const IntervalSet communication(of(GpuBucket::communication));
    out_.computation_ns = computation.total_ns();
    out_.communication_ns = communication.total_ns();
    out_.exposed_communication_ns = without(communication, computation).total_ns();
    out_.memcpy_ns = IntervalSet(of(GpuBucket::memcpy)).total_ns();
    if (all_.empty()) return out_;
    out_.busy_ns = IntervalSet(std::move(all_)).total_ns();
    out_.span_ns = last_ns_ - first_ns_;
    out_.idle_ns = out_.span_ns - out_.busy_ns;
    return out_;
  }

 private:
  const Trace& trace_;
  const GpuBuckets& buckets_;
  GpuPopulation out_;
  std::int64_t first_ns_ = INT64_MAX;
  std::int64_t last_ns_ = INT64_MIN;
  std::vector<Interval> all_;
  std::array<std::vector<Interval>, 3> by_bucket_;
};
}  // namespace

GpuBuckets::GpuBuckets(const Trace& trace) : trace_(&trace), by_name_(trace.names_count(), unclassified) {
  for (const EventId event : trace.gpu_events()) {
    const NameId name = trace.name(event);
    if (name == no_name || trace.role(event) == Role::copy) continue;
    std::uint8_t& bucket = by_name_[index_of(name)];
    if (bucket == unclassified) bucket = static_cast<std::uint8_t>(bucket_of_kernel(trace.text(name)));
  }
}

GpuBucket GpuBuckets::of(EventId gpu_event) const noexcept {
  // What the profiler says of a collective goes before what its kernel is called.
  if (trace_->text(gpu_event, Argument::collective_name)) return GpuBucket::communication;
  const Role role = trace_->role(gpu_event);
  if (role == Role::copy) return GpuBucket::memcpy;
  const NameId name = trace_->name(gpu_event);
  if (name == no_name || by_name_[index_of(name)] == unclassified) return GpuBucket::computation;
  const auto bucket = static_cast<GpuBucket>(by_name_[index_of(name)]);
  // A fill is no copy, whatever it is called.
  return role == Role::fill && bucket == GpuBucket::memcpy ? GpuBucket::computation : bucket;
}

std::int64_t timed_ns(const Trace& trace, EventId gpu_event) noexcept {
  const std::optional<Interval> extent = trace.extent(gpu_event);
  return extent ? extent->end_ns - extent->begin_ns : 0;
}

GpuPopulation measure_population(const Trace& trace, const GpuBuckets& buckets, std::span<const EventId> gpu_events,
                                 std::span<const ClippedEnd> clipped) {
  Measurement measurement(trace, buckets);
  for (const EventId event : gpu_events) {
    const auto found = std::ranges::lower_bound(clipped, event, {}, &ClippedEnd::event);
    measurement.add(event, found != clipped.end() && found->event == event ? &found->end_ns : nullptr);
  }
  return std::move(measurement).finish();
}
}  // namespace kinetoscope::analysis
