#include "core/tree/call_tree.hpp"

#include <algorithm>

#include "core/base/parallel.hpp"
#include "core/tree/capture_windows.hpp"
#include "core/tree/diagnostics.hpp"
#include "core/tree/node_insertion.hpp"
#include "core/tree/pseudo_operators.hpp"
#include "core/tree/pseudo_triggers.hpp"

namespace kinetoscope {
namespace {

/// An operator that wraps every compiled graph of some back ends: never who launched.
constexpr std::string_view passed_over_operator = "execute";
constexpr int leaf_depth = 10;
}  // namespace

std::string_view module_label_of(std::string_view name) noexcept {
  const std::size_t last = name.find_last_not_of("0123456789");
  const bool is_numbered = last != std::string_view::npos && last + 1 < name.size() && name[last] == '_';
  return is_numbered ? name.substr(0, last) : name;
}

CallTree CallTree::build(const Trace& trace, const CallTreeOptions& options) {
  CallTree tree(trace);
  LaunchLinks links;
  Diagnostics of_links;
  run_both(
      options.threads > 1,
      [&] {
        links = link_launches(trace, tree.calls_, of_links);
        tree.backward_ = link_backward(trace, of_links);
      },
      [&] {
        tree.nodes_ = nest_calls(trace, options.with_python, tree.diagnostics_);
        tree.index_nodes();
      });
  tree.diagnostics_.merge(of_links);
  tree.sort_gpu_events(links.links);
  tree.edges_ = std::move(links.edges);
  tree.count_launches();
  tree.report_kind();
  if (options.with_pseudo_operators) tree.insert_pseudo_operators(options.pseudo_operators);
  tree.pass_over_operators();
  tree.mark_leaf_operators();
  return tree;
}

void CallTree::index_nodes() {
  nodes_of_events_.resize(trace_->size() + pseudo_operators_.size(), no_node);
  for (std::size_t i = 0; i < nodes_.size(); ++i) nodes_of_events_[index_of(nodes_[i].event)] = id_at<NodeId>(i);
}

/// Counting sort of the linked GPU events by the node that launched them.
void CallTree::sort_gpu_events(const HugeArray<GpuLink>& links) {
  const std::span<const EventId> gpu_events = trace_->gpu_events();
  first_gpu_event_.resize(nodes_.size() + 1, 0);
  HugeArray<NodeId> launches(gpu_events.size(), no_node);
  std::size_t linked = 0;
  for (std::size_t i = 0; i < gpu_events.size(); ++i) {
    GpuLink found = links[i];
    links_.set(gpu_events[i], found);
    if (found.launch == no_event) continue;
    launches[i] = node(found.launch);
    if (launches[i] == no_node) continue;  // a launch without a start time: linked, but in no subtree
    ++first_gpu_event_[index_of(launches[i]) + 1];
    ++linked;
  }
  for (std::size_t i = 1; i < first_gpu_event_.size(); ++i) first_gpu_event_[i] += first_gpu_event_[i - 1];
  linked_.resize(linked, no_event);
  HugeArray<std::uint32_t> next = first_gpu_event_;
  for (std::size_t i = 0; i < gpu_events.size(); ++i) {
    if (launches[i] != no_node) linked_[next[index_of(launches[i])]++] = gpu_events[i];
  }
}

void CallTree::insert_pseudo_operators(const PseudoOperatorOptions& options) {
  shorten_names();
  std::vector<NodeInsertion> insertions;
  for (PseudoInsertion& found : find_pseudo_operators(*this, options, diagnostics_)) {
    found.place.event = id_at<EventId>(trace_->size() + insertions.size());
    insertions.push_back(found.place);
    pseudo_operators_.push_back(std::move(found.inserted));
  }
  if (insertions.empty()) return;
  InsertedNodes inserted = insert_nodes(nodes_, insertions);
  // Launches keep their order, so GPU work does: a new node's begins where that of its first child does.
  HugeArray<std::uint32_t> first(inserted.nodes.size() + 1, first_gpu_event_.back());
  for (std::size_t i = 0; i < nodes_.size(); ++i) first[index_of(inserted.moved_to[i])] = first_gpu_event_[i];
  for (std::size_t i = inserted.nodes.size(); i-- > 0;) {
    if (index_of(inserted.nodes[i].event) >= trace_->size()) first[i] = first[i + 1];
  }
  nodes_ = std::move(inserted.nodes);
  first_gpu_event_ = std::move(first);
  index_nodes();
}

void CallTree::shorten_names() {
  HugeArray<std::uint32_t> lengths(trace_->names_count(), 0);
  bool is_any_shorter = false;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const std::string_view name = trace_->text(id_at<NameId>(i));
    const std::string_view counts = without_call_number(name);
    lengths[i] = static_cast<std::uint32_t>(counts.size());
    is_any_shorter = is_any_shorter || counts.size() < name.size();
  }
  if (is_any_shorter) name_lengths_ = std::move(lengths);
}

std::string_view CallTree::name(NodeId node) const noexcept {
  if (const PseudoOperator* const pseudo = pseudo_operator(node)) return spelling_of(pseudo->kind);
  const NameId id = trace_->name(event(node));
  const std::string_view text = trace_->text(id);
  const bool is_numbered = !name_lengths_.empty() && id != no_name && role(node) == Role::operator_call;
  return is_numbered ? text.substr(0, name_lengths_[index_of(id)]) : text;
}

std::int64_t CallTree::begin_ns(NodeId node) const noexcept {
  const PseudoOperator* const pseudo = pseudo_operator(node);
  const EventId timed_as = pseudo == nullptr ? event(node) : pseudo->timed_as;
  return timed_as == no_event ? unknown_time_ns : trace_->begin_ns(timed_as);
}

std::int64_t CallTree::duration_ns(NodeId node) const noexcept {
  const PseudoOperator* const pseudo = pseudo_operator(node);
  const EventId timed_as = pseudo == nullptr ? event(node) : pseudo->timed_as;
  return timed_as == no_event ? unknown_time_ns : trace_->duration_ns(timed_as);
}

EventId CallTree::arguments_event(NodeId node) const noexcept {
  const PseudoOperator* const pseudo = pseudo_operator(node);
  return pseudo == nullptr ? event(node) : pseudo->donor;
}

std::optional<std::int64_t> CallTree::external_id(NodeId node) const noexcept {
  const PseudoOperator* const pseudo = pseudo_operator(node);
  if (pseudo != nullptr && pseudo->external_id) return pseudo->external_id;
  return trace_->integer(arguments_event(node), Argument::external_id);
}

NodeId CallTree::first_child(NodeId node) const noexcept {
  const auto next = id_at<NodeId>(index_of(node) + 1);
  return next < subtree_end(node) ? next : no_node;
}

NodeId CallTree::next_sibling(NodeId node) const noexcept {
  const NodeId next = subtree_end(node);
  return index_of(next) < size() && parent(next) == parent(node) && parent(node) != no_node ? next : no_node;
}

bool CallTree::is_module(NodeId node) const noexcept {
  return role(node) == Role::python_call && name(node).starts_with(module_prefix);
}

NodeId CallTree::module_of(NodeId node) const noexcept {
  while (node != no_node && !is_module(node)) node = parent(node);
  return node;
}

std::span<const EventId> CallTree::gpu_events(NodeId node) const noexcept {
  const std::uint32_t begin = first_gpu_event_[index_of(node)];
  const std::uint32_t end = first_gpu_event_[index_of(subtree_end(node))];
  return linked_.span().subspan(begin, end - begin);
}

GpuLink CallTree::link(EventId gpu_event) const noexcept {
  const GpuLink* const found = links_.find(gpu_event);
  return found == nullptr ? GpuLink{} : *found;
}

NodeId CallTree::launch(EventId gpu_event) const noexcept {
  const EventId call = link(gpu_event).launch;
  return call == no_event ? no_node : node(call);
}

NodeId CallTree::launcher(EventId gpu_event) const noexcept {
  const NodeId call = launch(gpu_event);
  if (call == no_node) return no_node;
  NodeId above = host_parent(call);
  if (above == no_node || role(above) != Role::operator_call) return call;
  if (const NodeId* const beyond = beyond_passed_over_.find(above)) above = *beyond;
  return above == no_node ? call : above;
}

/// Once for all nodes, parents first: walking up from each launch would be quadratic in a deep tree.
void CallTree::pass_over_operators() {
  const NameId passed_over = trace_->find_name(passed_over_operator);
  if (passed_over == no_name) return;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const auto node = id_at<NodeId>(i);
    if (is_pseudo(node) || role(node) != Role::operator_call || trace_->name(event(node)) != passed_over) continue;
    NodeId above = host_parent(node);
    if (above != no_node && role(above) != Role::operator_call) above = no_node;
    if (const NodeId* const beyond = above == no_node ? nullptr : beyond_passed_over_.find(above)) above = *beyond;
    beyond_passed_over_.set(node, above);
  }
}

/// Once for all nodes: asking each operator for its GPU work would be quadratic in a deep tree.
void CallTree::mark_leaf_operators() {
  is_leaf_operator_.assign(nodes_.size(), false);
  NodeId last_launch = no_node;
  for (const EventId event : linked_.span()) {
    NodeId above = launch(event);
    if (above == last_launch) continue;
    last_launch = above;
    for (int levels = 0; above != no_node && role(above) != Role::operator_call && levels < leaf_depth; ++levels) {
      above = parent(above);
    }
    if (above != no_node && role(above) == Role::operator_call) is_leaf_operator_[index_of(above)] = true;
  }
}

std::vector<NodeId> CallTree::operator_chain(EventId gpu_event) const {
  std::vector<NodeId> chain;
  const NodeId call = launch(gpu_event);
  if (call == no_node) return chain;
  for (NodeId above = host_parent(call); above != no_node; above = host_parent(above)) {
    if (role(above) == Role::operator_call) chain.push_back(above);
  }
  return chain;
}

void CallTree::count_launches() {
  const CaptureWindows captures(*trace_, calls_);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const auto node = id_at<NodeId>(i);
    if (role(node) != Role::runtime_call) continue;
    const names::RuntimeCall call = runtime_call(node);
    const bool is_graph = call == names::RuntimeCall::graph_launch;
    const bool has_work = !gpu_events(node).empty();
    if (!is_graph && call != names::RuntimeCall::kernel_launch && !has_work) continue;
    // Of launch calls inside one another (a runtime call and the driver call it makes) the outermost counts.
    const NodeId above = host_parent(node);
    if (above != no_node && names::is_launch(runtime_call(above))) continue;
    ++launches_.total;
    launches_.graph_launches += is_graph ? 1 : 0;
    if (has_work) continue;
    if (captures.contains(event(node))) {
      ++launches_.captured;
      continue;
    }
    ++launches_.without_kernel;
    launches_.graph_launches_without_kernel += is_graph ? 1 : 0;
  }
  has_launches_ = launches_.total > 0;
}

void CallTree::report_kind() {
  const std::uint64_t graphs = launches_.graph_launches_without_kernel;
  if (trace_->gpu_events().empty()) {
    const bool is_capture = launches_.captured > 0 || CaptureWindows(*trace_, calls_).has_any();
    diagnostics_.add(is_capture ? tree_diagnostics::graph_capture_trace : tree_diagnostics::no_gpu_events);
    return;
  }
  diagnostics_.add(tree_diagnostics::launch_without_kernel, {}, launches_.without_kernel - graphs);
  diagnostics_.add(tree_diagnostics::graph_launch_without_kernels, {}, graphs);
}
}  // namespace kinetoscope
