#include "core/analysis/operator_work.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/analysis/busy_time.hpp"

namespace kinetoscope::analysis {
namespace {

constexpr std::string_view autograd_separator = ": ";
constexpr int most_autograd_levels = 5;
/// An autograd call of more calls than this is not looked through: its operators are what they are.
constexpr std::size_t most_nodes_searched = 20'000;

class WorkCollector {
 public:
  WorkCollector(const TableInput& input, std::span<const std::int64_t> counted_ns, CallEstimates& estimates)
      : input_(input), tree_(input.tree()), estimates_(estimates), is_taken_(input.trace().size(), false) {
    events_before_.reserve(tree_.linked_gpu_events().size() + 1);
    events_before_.push_back(0);
    for (const EventId event : tree_.linked_gpu_events()) {
      events_before_.push_back(events_before_.back() + (input.contains(event) ? 1 : 0));
    }
    counted_ns_.resize(input.trace().size(), 0);
    for (std::size_t place = 0; place < input.events().size(); ++place) {
      counted_ns_[index_of(input.events()[place])] = counted_ns[place];
    }
  }

  OperatorWork collect() && {
    find_modelled();
    for (std::size_t i = 0; i < tree_.size();) {
      input_.stop_if_asked(i);
      const auto node = id_at<NodeId>(i);
      i = goes_inside(node) ? i + 1 : index_of(tree_.subtree_end(node));
    }
    add_single_events();
    return std::move(out_);
  }

 private:
  bool has_work(NodeId node) const {
    const std::span<const EventId> events = tree_.gpu_events(node);
    const auto first = static_cast<std::size_t>(events.data() - tree_.linked_gpu_events().data());
    return events_before_[first + events.size()] > events_before_[first];
  }

  /// Operators of rule 1, whether they stand inside one another or not, in depth-first order.
  void find_modelled() {
    for (std::size_t i = 0; i < tree_.size(); ++i) {
      const auto node = id_at<NodeId>(i);
      if (is_modelled(node) && has_work(node)) modelled_.push_back(node);
    }
  }

  /// Kernels that Inductor wrote count as modelled only where their arguments were recorded.
  bool is_modelled(NodeId node) {
    if (!estimates_.has_model(node)) return false;
    if (estimates_.registered(node) != nullptr) return true;
    return estimates_.estimate(estimates_.of(node)).flops.has_value();
  }

  /// False when the node was taken as a whole, or holds nothing that could be.
  bool goes_inside(NodeId node) {
    if (tree_.role(node) == Role::python_call) return !tree_.gpu_events(node).empty();
    if (tree_.role(node) != Role::operator_call || !has_work(node)) return false;
    const auto modelled = std::ranges::lower_bound(modelled_, node);
    if (modelled != modelled_.end() && *modelled == node) {
      take(node, {WorkKind::modelled, estimates_.of(node)});
      return false;
    }
    const bool holds_others = modelled != modelled_.end() && *modelled < tree_.subtree_end(node);
    if (holds_others) return true;
    if (const NodeId forward = only_backward_of(node); forward != no_node) {
      take(node, {WorkKind::backward, estimates_.of_backward(forward), forward});
      return false;
    }
    if (!tree_.is_leaf_operator(node)) return true;
    if (!launches_communication(node)) take(node, {WorkKind::plain});
    return false;
  }

  bool launches_communication(NodeId node) const {
    return std::ranges::any_of(tree_.gpu_events(node), [&](EventId event) {
      return input_.contains(event) && input_.buckets().of(event) == GpuBucket::communication;
    });
  }

  /// The forward call whose backward work the operator is, all of it; no_node when it is not.
  NodeId only_backward_of(NodeId node) {
    NodeId above = tree_.host_parent(node);
    for (int level = 0; above != no_node && level < most_autograd_levels; ++level) {
      const NodeId forward = forward_of(above);
      if (forward != no_node) return is_only_one(above, node) ? forward : no_node;
      above = tree_.host_parent(above);
    }
    return no_node;
  }

  /// Of an autograd call whose forward operator's model knows backward work.
  NodeId forward_of(NodeId autograd_call) {
    if (tree_.is_pseudo(autograd_call)) return no_node;
    const EventId forward = tree_.backward().forward_of(tree_.event(autograd_call));
    if (forward == no_event) return no_node;
    const NodeId node = tree_.node(forward);
    if (node == no_node || estimates_.registered(node) == nullptr) return no_node;
    if (!estimates_.registered(node)->backward_category) return no_node;
    const std::uint32_t estimate = estimates_.of_backward(node);
    if (estimate == CallEstimates::none || !estimates_.estimate(estimate).flops) return no_node;
    return node;
  }

  /// "autograd::engine::evaluate_function: MulBackward0" has one MulBackward0 with GPU work below it, and it is this.
  bool is_only_one(NodeId autograd_call, NodeId node) {
    const std::string_view name = tree_.name(autograd_call);
    const std::size_t separator = name.find(autograd_separator);
    if (separator == std::string_view::npos) return false;
    const std::string_view wanted = name.substr(separator + autograd_separator.size());
    if (tree_.name(node) != wanted) return false;
    const auto [found, is_new] = only_named_.try_emplace(index_of(autograd_call), no_node);
    if (is_new) found->second = only_named(autograd_call, wanted);
    return found->second == node;
  }
  NodeId only_named(NodeId autograd_call, std::string_view wanted) const {
    const std::size_t begin = index_of(autograd_call) + 1;
    const std::size_t end = index_of(tree_.subtree_end(autograd_call));
    if (end - begin > most_nodes_searched) return no_node;
    NodeId only = no_node;
    for (std::size_t i = begin; i < end; ++i) {
      const auto node = id_at<NodeId>(i);
      if (tree_.role(node) != Role::operator_call || tree_.name(node) != wanted || !has_work(node)) continue;
      if (only != no_node) return no_node;
      only = node;
    }
    return only;
  }

  void take(NodeId node, Work work) {
    const auto first = static_cast<std::uint32_t>(out_.calls.events.size());
    for (const EventId event : tree_.gpu_events(node)) {
      if (!input_.contains(event)) continue;
      out_.calls.events.push_back(event);
      is_taken_[index_of(event)] = true;
    }
    work.id = index_of(tree_.event(node));
    add_call(node, first, work);
  }

  void add_call(NodeId node, std::uint32_t first_event, const Work& work) {
    Launcher call = measured_call(input_, out_.calls, node, first_event);
    for (const EventId event : out_.calls.events_of(call)) call.counted_ns += counted_ns_[index_of(event)];
    out_.calls.launchers.push_back(call);
    out_.work.push_back(work);
  }

  /// Communication is in coll_analysis, and what nobody launched in no operator's row.
  void add_single_events() {
    std::vector<std::pair<NodeId, EventId>> left;
    for (std::size_t place = 0; place < input_.events().size(); ++place) {
      const EventId event = input_.events()[place];
      if (is_taken_[index_of(event)] || input_.buckets().of(event) == GpuBucket::communication) continue;
      const NodeId launcher = tree_.launcher(event);
      if (launcher == no_node) {
        ++out_.calls.unowned_events;
        out_.calls.unowned_counted_ns += counted_ns_[index_of(event)];
      } else {
        left.emplace_back(launcher, event);
      }
    }
    // Those without an operator stand first, as users' tables number them.
    std::ranges::stable_sort(left, {}, [&](const std::pair<NodeId, EventId>& one) {
      return std::pair(tree_.role(one.first) == Role::operator_call, one.first);
    });
    std::uint64_t id = tree_.trace().size() + tree_.pseudo_operators().size();
    for (const auto& [launcher, event] : left) {
      const auto first = static_cast<std::uint32_t>(out_.calls.events.size());
      out_.calls.events.push_back(event);
      add_call(launcher, first, {WorkKind::single_event, CallEstimates::none, no_node, id++});
    }
  }

  const TableInput& input_;
  const CallTree& tree_;
  CallEstimates& estimates_;
  std::vector<NodeId> modelled_;
  std::vector<std::uint32_t> events_before_;            // of the population, by place among linked events
  std::vector<bool> is_taken_;                          // by EventId
  HugeArray<std::int64_t> counted_ns_;                  // by EventId
  std::unordered_map<std::size_t, NodeId> only_named_;  // by autograd call
  OperatorWork out_;
};
}  // namespace

Launcher measured_call(const TableInput& input, Launchers& calls, NodeId node, std::uint32_t first_event) {
  Launcher call;
  call.node = node;
  call.first_event = first_event;
  call.events = static_cast<std::uint32_t>(calls.events.size()) - first_event;
  const std::span<EventId> own(calls.events.begin() + first_event, call.events);
  sort_by_start(input.trace(), own);
  call.begin_ns = input.tree().begin_ns(node);
  call.direct_ns = busy_ns(input.trace(), own);
  call.subtree_ns = call.direct_ns;
  return call;
}

OperatorWork operator_work(const TableInput& input, std::span<const std::int64_t> counted_ns,
                           CallEstimates& estimates) {
  return WorkCollector(input, counted_ns, estimates).collect();
}
}  // namespace kinetoscope::analysis
