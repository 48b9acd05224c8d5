#include "core/analysis/call_context.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "core/analysis/busy_time.hpp"
#include "core/analysis/event_gpu_time.hpp"
#include "core/analysis/gpu_population.hpp"

namespace kinetoscope::analysis {
namespace {

/// Summaries of calls and GPU work, with one GPU time for all.
class CallSummaries {
 public:
  explicit CallSummaries(const CallTree& tree)
      : trace_(tree.trace()), gpu_time_(tree, trace_.gpu_events()), origin_ns_(recorded_time(trace_).begin_ns) {}

  [[nodiscard]] WideSum gpu_ns(EventId event) const { return gpu_time_.total_ns(event).value_or(0); }
  [[nodiscard]] CallSummary of(EventId event) const {
    CallSummary out{event, trace_.role(event), std::string(trace_.name_text(event)), {}, {}, gpu_ns(event)};
    if (trace_.begin_ns(event) != unknown_time_ns) out.begin_ns = trace_.begin_ns(event) - origin_ns_;
    if (const auto extent = trace_.extent(event)) out.duration_ns = extent->end_ns - extent->begin_ns;
    return out;
  }
  [[nodiscard]] RankedCalls ranked(std::vector<EventId> events, std::size_t most) const {
    RankedCalls out{{}, events.size()};
    const auto shown = events.begin() + static_cast<std::ptrdiff_t>(std::min(most, events.size()));
    std::partial_sort(events.begin(), shown, events.end(), [&](EventId one, EventId other) {
      return std::tuple(-gpu_ns(one), one) < std::tuple(-gpu_ns(other), other);
    });
    for (auto event = events.begin(); event != shown; ++event) out.calls.push_back(of(*event));
    return out;
  }

 private:
  const Trace& trace_;
  EventGpuTime gpu_time_;
  std::int64_t origin_ns_;
};

class ContextBuilder {
 public:
  ContextBuilder(const CallTree& tree, const CallContextLimits& limits)
      : tree_(tree), trace_(tree.trace()), limits_(limits), summaries_(tree) {}

  [[nodiscard]] CallContext of(EventId event, const Steps& steps) {
    CallContext out;
    out.subject = summaries_.of(event);
    out.arguments = recorded_arguments(trace_, event, limits_.argument_bytes);
    if (is_gpu_work(trace_.role(event))) {
      const StepId step = steps.step_of(event);
      if (step != no_step) out.step = step;
      add_gpu_work(event, out);
    } else {
      add_call(tree_.node(event), out);
    }
    return out;
  }

 private:
  void add_gpu_work(EventId event, CallContext& out) {
    const NodeId launch = tree_.launch(event);
    out.launch = launch_of(event, launch);
    out.neighbours = stream_neighbours(trace_, event);
    if (out.neighbours.previous) out.previous = summaries_.of(out.neighbours.previous->event);
    if (out.neighbours.next) out.next = summaries_.of(out.neighbours.next->event);
    if (launch != no_node) {
      std::vector<EventId> others;
      for (const EventId other : tree_.gpu_events(tree_.launcher(event))) {
        if (other != event && tree_.launcher(other) == tree_.launcher(event)) others.push_back(other);
      }
      out.siblings = summaries_.ranked(std::move(others), limits_.ranked);
      add_ancestors(launch, out);
      add_frames(launch, out);
      add_counterparts(launch, out);
    }
    if (const auto module = trace_.text(event, Argument::module_fqn)) out.modules = {std::string(trace_.text(*module))};
  }

  void add_call(NodeId call, CallContext& out) {
    std::vector<EventId> children;
    for (NodeId child = tree_.first_child(call); child != no_node; child = tree_.next_sibling(child)) {
      children.push_back(tree_.event(child));
    }
    out.children = summaries_.ranked(std::move(children), limits_.ranked);
    if (const NodeId parent = tree_.parent(call); parent != no_node) {
      std::vector<EventId> siblings;
      for (NodeId child = tree_.first_child(parent); child != no_node; child = tree_.next_sibling(child)) {
        if (child != call) siblings.push_back(tree_.event(child));
      }
      out.siblings = summaries_.ranked(std::move(siblings), limits_.ranked);
    }
    out.kernels = kernels_below(call);
    add_ancestors(tree_.host_parent(call), out);
    add_frames(tree_.parent(call), out);
    add_counterparts(call, out);
  }

  [[nodiscard]] LaunchContext launch_of(EventId event, NodeId launch) const {
    LaunchContext out;
    const GpuLink link = tree_.link(event);
    out.method = link.method;
    out.cause = launch == no_node ? link.cause : UnlinkedCause::none;
    if (launch == no_node) return out;
    out.launch = summaries_.of(tree_.event(launch));
    const NodeId launcher = tree_.launcher(event);
    if (tree_.role(launcher) == Role::operator_call) out.launching_operator = summaries_.of(tree_.event(launcher));
    const auto extent = trace_.extent(event);
    if (extent && tree_.begin_ns(launch) != unknown_time_ns) out.delay_ns = extent->begin_ns - tree_.begin_ns(launch);
    return out;
  }

  [[nodiscard]] KernelsBelow kernels_below(NodeId call) const {
    const auto below = tree_.gpu_events(call);
    std::vector<EventId> events(below.begin(), below.end());
    KernelsBelow out;
    for (const EventId event : events) {
      out.kernel_sum_ns += timed_ns(trace_, event);
      if (!trace_.extent(event)) ++out.untimed;
    }
    sort_by_start(trace_, events);
    out.busy_ns = busy_ns(trace_, events);
    out.longest = summaries_.ranked(std::move(events), limits_.ranked);
    return out;
  }

  /// `innermost` included.
  void add_ancestors(NodeId innermost, CallContext& out) const {
    for (NodeId at = innermost; at != no_node; at = tree_.host_parent(at)) {
      if (out.ancestors_total++ < limits_.ancestors) out.ancestors.push_back(summaries_.of(tree_.event(at)));
    }
  }

  void add_frames(NodeId innermost, CallContext& out) const {
    for (NodeId at = innermost; at != no_node; at = tree_.parent(at)) {
      if (tree_.role(at) != Role::python_call) continue;
      const std::string_view name = tree_.name(at);
      if (out.frames_total++ < limits_.frames) out.python_stack.emplace_back(name);
      if (tree_.is_module(at)) out.modules.emplace_back(name.substr(module_prefix.size()));
    }
    std::ranges::reverse(out.modules);
  }

  void add_counterparts(NodeId innermost, CallContext& out) const {
    const BackwardLinks& links = tree_.backward();
    for (NodeId at = innermost; at != no_node && out.counterparts.empty(); at = tree_.host_parent(at)) {
      const EventId event = tree_.event(at);
      const EventId forward = links.forward_of(event);
      if (forward != no_event) out.counterparts.push_back({event, false, summaries_.of(forward)});
      for (const EventId backward : links.backward_of(event)) {
        if (out.counterparts.size() < limits_.ranked)
          out.counterparts.push_back({event, true, summaries_.of(backward)});
      }
    }
  }

  const CallTree& tree_;
  const Trace& trace_;
  const CallContextLimits& limits_;
  CallSummaries summaries_;
};
}  // namespace

CallContext call_context(const CallTree& tree, const Steps& steps, EventId event, const CallContextLimits& limits) {
  const Trace& trace = tree.trace();
  Failure failure{.code = ErrorCode::usage, .argument = "event", .received = std::to_string(index_of(event))};
  if (index_of(event) >= trace.size()) {
    failure.problem = "the trace has no such event";
    failure.accepted = trace.size() == 0 ? "it has none" : fmt::format("0 to {}", trace.size() - 1);
    throw Error(std::move(failure));
  }
  if (!is_gpu_work(trace.role(event)) && tree.node(event) == no_node) {
    failure.problem = fmt::format("the event is no call and no GPU work, but {}", spelling_of(trace.role(event)));
    failure.accepted = "an operator, a runtime call, a Python frame, a kernel, a copy or a fill, each with a start";
    throw Error(std::move(failure));
  }
  return ContextBuilder(tree, limits).of(event, steps);
}
}  // namespace kinetoscope::analysis
