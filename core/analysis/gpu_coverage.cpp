#include "core/analysis/gpu_coverage.hpp"

#include <vector>

namespace kinetoscope::analysis {
namespace {

// What stands around a call, itself included; bits of one byte.
constexpr std::uint8_t in_operator = 1;
constexpr std::uint8_t in_shaped_operator = 2;
constexpr std::uint8_t in_frame = 4;
constexpr std::uint8_t in_module = 8;
constexpr std::uint8_t in_collective = 16;

bool describes_collective(const Trace& trace, EventId event) {
  return trace.integer(event, Argument::group_size).has_value() ||
         trace.integer(event, Argument::in_elements).has_value();
}

std::uint8_t own_context(const CallTree& tree, NodeId node) {
  const Trace& trace = tree.trace();
  const Role role = tree.role(node);
  if (role == Role::python_call) return tree.is_module(node) ? in_frame | in_module : in_frame;
  if (role != Role::operator_call) return 0;
  std::uint8_t context = in_operator;
  const EventId event = tree.arguments_event(node);  // of a pseudo-operator, whose own event the trace does not have
  if (trace.json(event, Argument::input_dims)) context |= in_shaped_operator;
  if (describes_collective(trace, event)) context |= in_collective;
  return context;
}

/// By node. Parents come before their children, so one pass hands everything down, and a second the frames of forward
/// calls to their backward calls: a forward call may stand on a later thread.
std::vector<std::uint8_t> contexts_of_nodes(const CallTree& tree) {
  std::vector<std::uint8_t> contexts(tree.size(), 0);
  for (std::size_t i = 0; i < contexts.size(); ++i) {
    const auto node = id_at<NodeId>(i);
    const NodeId parent = tree.parent(node);
    contexts[i] = own_context(tree, node);
    if (parent != no_node) contexts[i] |= contexts[index_of(parent)];
  }
  if (tree.backward().links().empty()) return contexts;
  std::vector<std::uint8_t> borrowed(tree.size(), 0);
  for (const BackwardLink& link : tree.backward().links()) {
    const NodeId backward = tree.node(link.backward);
    const NodeId forward = tree.node(link.forward);
    if (backward == no_node || forward == no_node) continue;
    borrowed[index_of(backward)] |= static_cast<std::uint8_t>(contexts[index_of(forward)] & (in_frame | in_module));
  }
  for (std::size_t i = 0; i < contexts.size(); ++i) {
    const NodeId parent = tree.parent(id_at<NodeId>(i));
    if (parent != no_node) borrowed[i] |= borrowed[index_of(parent)];
    contexts[i] |= borrowed[i];
  }
  return contexts;
}

class Coverage {
 public:
  Coverage(const CallTree& tree, const GpuBuckets& buckets)
      : tree_(tree), trace_(tree.trace()), buckets_(buckets), contexts_(contexts_of_nodes(tree)) {}

  void add(EventId event) {
    const std::optional<Interval> extent = trace_.extent(event);
    time_ns_ = extent ? extent->end_ns - extent->begin_ns : 0;
    count(out_.all);
    const NodeId launch = tree_.launch(event);
    const bool is_graph = (launch != no_node && tree_.runtime_call(launch) == names::RuntimeCall::graph_launch) ||
                          trace_.identifier(event, Argument::graph_node_id).has_value();
    add_link(event);
    const std::uint8_t context = launch == no_node || is_graph ? std::uint8_t{0} : contexts_[index_of(launch)];
    const bool has_module = trace_.text(event, Argument::module_fqn).has_value();
    if (is_graph) count(out_.graph);
    if (is_graph && (has_module || trace_.text(event, Argument::name))) count(out_.annotated_graph);
    if ((context & in_operator) != 0) count(out_.operators);
    if (has_module || (context & in_frame) != 0) count(out_.frames);
    if (has_module || (context & in_module) != 0) count(out_.modules);
    add_bucket(event, context);
  }

  [[nodiscard]] const GpuCoverage& coverage() const noexcept { return out_; }

 private:
  void count(GpuShare& share) const noexcept {
    ++share.events;
    share.time_ns += time_ns_;
  }

  void add_link(EventId event) {
    const GpuLink link = tree_.link(event);
    if (link.launch != no_event) return;
    count(out_.unlinked);
    count(out_.by_cause[static_cast<std::size_t>(link.cause)]);
  }

  void add_bucket(EventId event, std::uint8_t context) {
    switch (buckets_.of(event)) {
      case GpuBucket::computation:
        count(out_.computation);
        if ((context & in_shaped_operator) != 0) count(out_.shaped);
        return;
      case GpuBucket::communication:
        count(out_.communication);
        if ((context & in_collective) != 0 || describes_collective(trace_, event)) count(out_.described);
        return;
      case GpuBucket::memcpy: return;
    }
  }

  const CallTree& tree_;
  const Trace& trace_;
  const GpuBuckets& buckets_;
  std::vector<std::uint8_t> contexts_;
  GpuCoverage out_;
  std::int64_t time_ns_ = 0;  // of the event being added
};
}  // namespace

GpuCoverage measure_coverage(const CallTree& tree, const GpuBuckets& buckets) {
  Coverage coverage(tree, buckets);
  for (const EventId event : tree.trace().gpu_events()) coverage.add(event);
  return coverage.coverage();
}

double share_of(const GpuShare& part, const GpuShare& whole) noexcept {
  if (whole.time_ns > 0) return static_cast<double>(part.time_ns) / static_cast<double>(whole.time_ns);
  if (whole.events > 0) return static_cast<double>(part.events) / static_cast<double>(whole.events);
  return 0;
}
}  // namespace kinetoscope::analysis
