#pragma once

// Where an operator was called from, as text: the modules around it, and the frames from the thread's outermost call to
// its kernels. Needs Python frames in the tree.
// Hostile stacks are deep and kernels have many ways: a stack shows its innermost frames and the first ways, and
// "..." where there are more.
// Cost: O(nodes) once. A stack costs its text and, once each, the calls between the operator and its launches.

#include <span>
#include <string>
#include <string_view>

#include "core/base/huge_array.hpp"
#include "core/tree/call_tree.hpp"

namespace kinetoscope::analysis {

/// The most frames of one stack, and of one way from an operator to its kernels.
inline constexpr std::size_t most_stack_frames = 512;
/// The most ways from an operator to its kernels that one stack tells apart.
inline constexpr std::size_t most_stack_ways = 512;
/// Stands for frames, or ways, that are not shown.
inline constexpr std::string_view stack_cut_mark = "...";

/// Lists in Python's literal syntax. "Not found" where nothing is.
struct FullCallStack {
  /// The source frame that the operator stands for: the first below it whose function bears the operator's name, else
  /// the nearest around it that does more than pass a call on.
  std::string entry_point;
  /// Frames from the outermost to the kernel, numbers left out; where kernels differ, what they share and then a list
  /// for each way that differs.
  std::string text;
  friend bool operator==(const FullCallStack&, const FullCallStack&) = default;
};

class CallStacks {
 public:
  /// `tree` must outlive this.
  explicit CallStacks(const CallTree& tree);

  /// The nearest module call around the node, itself included; no_node without.
  [[nodiscard]] NodeId module_of(NodeId node) const noexcept { return modules_[index_of(node)]; }
  /// Its own name, then the modules around it, outward: "['aten::mm', 'nn.Module: Linear_0']".
  [[nodiscard]] std::string modules_text(NodeId node) const;
  /// `gpu_events`: what the node launched, at least one.
  [[nodiscard]] FullCallStack full(NodeId node, std::span<const EventId> gpu_events) const;

 private:
  const CallTree* tree_;
  HugeArray<NodeId> modules_;
  HugeArray<NodeId> shown_above_;  // the nearest call around the node that stacks show
};
}  // namespace kinetoscope::analysis
