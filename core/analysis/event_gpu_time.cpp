#include "core/analysis/event_gpu_time.hpp"

#include "core/analysis/gpu_population.hpp"

namespace kinetoscope::analysis {

EventGpuTime::EventGpuTime(const CallTree& tree, std::span<const EventId> population)
    : tree_(&tree), launched_(tree.size(), 0) {
  const Trace& trace = tree.trace();
  std::vector<bool> counts(trace.size(), false);
  for (const EventId event : population) {
    const std::int64_t time_ns = timed_ns(trace, event);
    counts[index_of(event)] = true;
    population_ns_ += time_ns;
    const NodeId launch = tree.launch(event);
    const NodeId launcher = tree.launcher(event);
    if (launch != no_node) launched_[index_of(launch)] += time_ns;
    if (launcher != no_node && launcher != launch) launched_[index_of(launcher)] += time_ns;
  }
  before_.reserve(tree.linked_gpu_events().size() + 1);
  Sum sum;
  before_.push_back(sum);
  for (const EventId event : tree.linked_gpu_events()) {
    if (counts[index_of(event)]) {
      sum.time_ns += timed_ns(trace, event);
      ++sum.events;
    }
    before_.push_back(sum);
  }
}

EventGpuTime::Sum EventGpuTime::below(NodeId call) const {
  const std::span<const EventId> events = tree_->gpu_events(call);
  if (events.empty()) return {};
  const auto first = static_cast<std::size_t>(events.data() - tree_->linked_gpu_events().data());
  const Sum& begin = before_[first];
  const Sum& end = before_[first + events.size()];
  return {end.time_ns - begin.time_ns, end.events - begin.events};
}

std::optional<WideSum> EventGpuTime::total_ns(EventId event) const {
  const Trace& trace = tree_->trace();
  if (is_gpu_work(trace.role(event))) return timed_ns(trace, event);
  const NodeId call = tree_->node(event);
  if (call == no_node) return {};
  return below(call).time_ns;
}

std::optional<WideSum> EventGpuTime::own_ns(EventId event) const {
  const Trace& trace = tree_->trace();
  const Role role = trace.role(event);
  if (is_gpu_work(role)) return timed_ns(trace, event);
  const NodeId call = tree_->node(event);
  if (call == no_node || role == Role::python_call) return {};
  return launched_[index_of(call)];
}

std::uint64_t EventGpuTime::kernels(EventId event) const {
  const NodeId call = tree_->node(event);
  return call == no_node ? 0 : below(call).events;
}
}  // namespace kinetoscope::analysis
