#include "core/analysis/gpu_population.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/interval_set.hpp"
#include "core/names/kernel_names.hpp"
#include "core/analysis/timeline.hpp"

namespace kinetoscope::analysis {
namespace {

constexpr std::uint8_t unclassified = 0xff;

GpuBucket bucket_of_kernel(std::string_view name) {
  const names::KernelKind kind = names::classify_kernel(name).kind;
  if (kind == names::KernelKind::communication) return GpuBucket::communication;
  return kind == names::KernelKind::memory_copy ? GpuBucket::memcpy : GpuBucket::computation;
}
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
  GpuPopulation out;
  TimelineMeasurement measurement;
  for (const EventId event : gpu_events) {
    ++out.events;
    std::optional<Interval> extent = trace.extent(event);
    if (!extent) {
      ++out.untimed;
      continue;
    }
    const auto found = std::ranges::lower_bound(clipped, event, {}, &ClippedEnd::event);
    if (found != clipped.end() && found->event == event) extent->end_ns = found->end_ns;
    out.kernel_sum_ns += extent->end_ns - extent->begin_ns;
    measurement.add(buckets.of(event), *extent);
  }
  const Timeline timeline = std::move(measurement).finish();
  out.busy_ns = timeline.busy_ns;
  out.span_ns = timeline.total_ns;
  out.idle_ns = timeline.idle_ns;
  out.computation_ns = timeline.computation_ns;
  out.communication_ns = timeline.communication_ns;
  out.exposed_communication_ns = timeline.exposed_communication_ns;
  out.memcpy_ns = timeline.memcpy_ns;
  return out;
}
}  // namespace kinetoscope::analysis
