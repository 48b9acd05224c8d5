#pragma once

// The annotated call tree: which host call contains which, which GPU work each launched, which backward call belongs to
// which forward call. Built once from a Trace and never changed; const access is safe from any thread.
//
// Nodes are numbered depth-first, thread after thread, so a subtree is the contiguous range [node, subtree_end(node)),
// and so is its GPU work: GPU events sort by the node that launched them. One tree with Python frames as flagged nodes;
// walks that ignore them skip them. 24 bytes a node, 16 a GPU event.
//
// With pseudo-operators the tree has nodes that nobody recorded (pseudo_operator.hpp). Their EventIds stand behind the
// trace's last event: ask the tree, not the trace, for name, role, time and arguments of a node.

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/diagnostics.hpp"
#include "core/base/huge_array.hpp"
#include "core/trace/trace.hpp"
#include "core/tree/backward_links.hpp"
#include "core/tree/launch_links.hpp"
#include "core/tree/nesting.hpp"
#include "core/tree/pseudo_operator.hpp"
#include "core/tree/runtime_call_table.hpp"

namespace kinetoscope {

/// How the names of Python frames that call an nn.Module begin.
inline constexpr std::string_view module_prefix = "nn.Module: ";
/// A module's name without the number that the profiler appends: "nn.Module: Linear" of "nn.Module: Linear_3".
[[nodiscard]] std::string_view module_label_of(std::string_view name) noexcept;

struct CallTreeOptions {
  /// Build nodes of Python frames, too.
  bool with_python = true;
  /// Put operators where a kernel or a Python frame does work that performance models know by a name of its own. Those
  /// that stand for Python frames need with_python.
  bool with_pseudo_operators = false;
  PseudoOperatorOptions pseudo_operators{};
  /// 1: everything in the calling thread; more: calls are nested while launches are linked. The tree is the same.
  unsigned threads = 1;
};

/// Launch calls and what they put on devices.
struct LaunchCounts {
  std::uint64_t total = 0;           ///< kernel and graph launches, and other calls that own GPU work; the outermost of
                                     ///< calls inside one another
  std::uint64_t without_kernel = 0;  ///< of them, those without recorded GPU work; captured ones apart
  std::uint64_t captured = 0;        ///< recorded into a graph, not run
  std::uint64_t graph_launches = 0;
  std::uint64_t graph_launches_without_kernel = 0;
  friend bool operator==(const LaunchCounts&, const LaunchCounts&) = default;
};

class CallTree {
 public:
  /// `trace` must outlive the tree.
  [[nodiscard]] static CallTree build(const Trace& trace, const CallTreeOptions& options = {});

  [[nodiscard]] const Trace& trace() const noexcept { return *trace_; }
  [[nodiscard]] std::size_t size() const noexcept { return nodes_.size(); }
  /// Of a pseudo-operator: trace().size() or above.
  [[nodiscard]] EventId event(NodeId node) const noexcept { return nodes_[index_of(node)].event; }
  /// no_node for events that are no host calls, or have no start time.
  [[nodiscard]] NodeId node(EventId event) const noexcept { return nodes_of_events_[index_of(event)]; }
  /// The deepest call around the node, Python frames included; no_node for roots.
  [[nodiscard]] NodeId parent(NodeId node) const noexcept { return nodes_[index_of(node)].parent; }
  /// The deepest operator or runtime call around it: the same whether Python frames are in the tree or not.
  [[nodiscard]] NodeId host_parent(NodeId node) const noexcept { return nodes_[index_of(node)].host_parent; }
  /// Behind the last descendant.
  [[nodiscard]] NodeId subtree_end(NodeId node) const noexcept { return nodes_[index_of(node)].subtree_end; }
  [[nodiscard]] Role role(NodeId node) const noexcept {
    return is_pseudo(node) ? Role::operator_call : trace_->role(event(node));
  }
  /// Valid as long as the trace. With pseudo-operators, without the number that some profilers append.
  [[nodiscard]] std::string_view name(NodeId node) const noexcept;
  /// unknown_time_ns for an isolated kernel's operator, which has no time of its own.
  [[nodiscard]] std::int64_t begin_ns(NodeId node) const noexcept;
  [[nodiscard]] std::int64_t duration_ns(NodeId node) const noexcept;
  /// The recorded event whose arguments are the node's: its own, or a pseudo-operator's donor.
  [[nodiscard]] EventId arguments_event(NodeId node) const noexcept;
  [[nodiscard]] std::optional<std::int64_t> external_id(NodeId node) const noexcept;
  /// The thread that it ran on.
  [[nodiscard]] TrackId track(NodeId node) const noexcept { return trace_->track(arguments_event(node)); }

  [[nodiscard]] bool is_pseudo(NodeId node) const noexcept { return index_of(event(node)) >= trace_->size(); }
  /// nullptr for recorded calls. Valid as long as the tree.
  [[nodiscard]] const PseudoOperator* pseudo_operator(NodeId node) const noexcept {
    return is_pseudo(node) ? &pseudo_operators_[index_of(event(node)) - trace_->size()] : nullptr;
  }
  /// In the order of their EventIds.
  [[nodiscard]] std::span<const PseudoOperator> pseudo_operators() const noexcept { return pseudo_operators_; }
  /// The first child, or no_node; then next_sibling until no_node: children in order of start.
  [[nodiscard]] NodeId first_child(NodeId node) const noexcept;
  [[nodiscard]] NodeId next_sibling(NodeId node) const noexcept;

  /// A Python frame that calls an nn.Module.
  [[nodiscard]] bool is_module(NodeId node) const noexcept;
  [[nodiscard]] std::string_view module_label(NodeId node) const noexcept { return module_label_of(name(node)); }
  /// The nearest module call around the node, itself included; no_node without. O(depth).
  [[nodiscard]] NodeId module_of(NodeId node) const noexcept;

  /// GPU events launched in the node's subtree, by launching call, then in file order. Valid as long as the tree.
  [[nodiscard]] std::span<const EventId> gpu_events(NodeId node) const noexcept;
  /// All linked GPU events, in the same order.
  [[nodiscard]] std::span<const EventId> linked_gpu_events() const noexcept { return linked_.span(); }
  /// How a GPU event is linked; for any other event an unlinked GpuLink.
  [[nodiscard]] GpuLink link(EventId gpu_event) const noexcept;
  /// The runtime call that launched a GPU event; no_node when it is unlinked.
  [[nodiscard]] NodeId launch(EventId gpu_event) const noexcept;
  /// Who launched it as a user sees it: the nearest operator around the launch, Python frames and operators named
  /// "execute" passed over; the launch call itself when there is none or when another runtime call stands between.
  [[nodiscard]] NodeId launcher(EventId gpu_event) const noexcept;
  /// The operator launches GPU work itself: through runtime calls and Python frames only, ten levels at the most.
  [[nodiscard]] bool is_leaf_operator(NodeId node) const noexcept { return is_leaf_operator_[index_of(node)]; }
  /// The operators around a launch, innermost first: the chain that a kernel's display name comes from.
  [[nodiscard]] std::vector<NodeId> operator_chain(EventId gpu_event) const;

  [[nodiscard]] names::RuntimeCall runtime_call(NodeId node) const noexcept {
    return is_pseudo(node) ? names::RuntimeCall::unknown : calls_.of(event(node));
  }
  /// Of any recorded event: also of a call without a start, which is no node.
  [[nodiscard]] names::RuntimeCall runtime_call(EventId call) const noexcept { return calls_.of(call); }
  [[nodiscard]] const LaunchCounts& launches() const noexcept { return launches_; }
  [[nodiscard]] std::span<const KernelEdge> kernel_edges() const noexcept { return edges_; }
  [[nodiscard]] const BackwardLinks& backward() const noexcept { return backward_; }
  /// The trace has no launch event at all, so that all GPU work is one population (decision 4).
  [[nodiscard]] bool has_launches() const noexcept { return has_launches_; }

  /// What was found while building; the trace's own diagnostics are not among them.
  [[nodiscard]] const Diagnostics& diagnostics() const noexcept { return diagnostics_; }

 private:
  explicit CallTree(const Trace& trace) : trace_(&trace), calls_(trace) {}
  void index_nodes();
  void sort_gpu_events(const HugeArray<GpuLink>& links);
  void count_launches();
  void report_kind();
  void insert_pseudo_operators(const PseudoOperatorOptions& options);
  void shorten_names();
  void pass_over_operators();
  void mark_leaf_operators();

  const Trace* trace_;
  RuntimeCallTable calls_;
  HugeArray<NestedCall> nodes_;
  HugeArray<NodeId> nodes_of_events_;
  HugeArray<std::uint32_t> first_gpu_event_;  // by node, and one behind the last: where its subtree's GPU work begins
  HugeArray<EventId> linked_;
  SparseColumn<EventId, GpuLink> links_;
  SparseColumn<NodeId, NodeId> beyond_passed_over_;  // of operators that are passed over: the launcher around them
  std::vector<bool> is_leaf_operator_;               // by node
  std::vector<KernelEdge> edges_;
  BackwardLinks backward_;
  LaunchCounts launches_;
  bool has_launches_ = false;
  std::vector<PseudoOperator> pseudo_operators_;  // by EventId, from the trace's size on
  HugeArray<std::uint32_t> name_lengths_;         // by name: how much of it counts; empty where all of each does
  Diagnostics diagnostics_;
};
}  // namespace kinetoscope
