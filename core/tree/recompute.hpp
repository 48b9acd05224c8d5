#pragma once

// Forward work that is done a second time for the backward pass (activation checkpointing): all that is called below a
// Python frame that recomputes (names/python_frames.hpp). Needs Python frames in the tree. On the autograd thread only
// what lies below the frame is marked, the backward work beside it is not.
// Cost: each distinct name of a frame is looked at once, then O(nodes). A bit a node; none without such a frame.

#include <vector>

#include "core/tree/call_tree.hpp"

namespace kinetoscope {

class RecomputeMarks {
 public:
  /// `tree` must outlive this.
  explicit RecomputeMarks(const CallTree& tree);

  [[nodiscard]] bool has_any() const noexcept { return !marked_.empty(); }
  [[nodiscard]] bool contains(NodeId node) const noexcept { return has_any() && marked_[index_of(node)]; }
  /// By the call that launched it; false for unlinked work.
  [[nodiscard]] bool contains_gpu(EventId gpu_event) const noexcept {
    if (!has_any()) return false;
    const NodeId launch = tree_->launch(gpu_event);
    return launch != no_node && contains(launch);
  }

 private:
  const CallTree* tree_;
  std::vector<bool> marked_;
};
}  // namespace kinetoscope
