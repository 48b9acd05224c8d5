#include "core/tree/recompute.hpp"

#include "core/names/python_frames.hpp"

namespace kinetoscope {
namespace {

enum Answer : std::uint8_t { unasked, no, yes };

/// Whether frames of each name recompute.
class RecomputeFrames {
 public:
  explicit RecomputeFrames(const Trace& trace) : trace_(trace), by_name_(trace.names_count(), unasked) {}
  [[nodiscard]] bool contains(EventId frame) {
    const NameId name = trace_.name(frame);
    if (name == no_name) return false;
    std::uint8_t& answer = by_name_[index_of(name)];
    if (answer == unasked) answer = names::is_recompute_frame(trace_.text(name)) ? yes : no;
    return answer == yes;
  }

 private:
  const Trace& trace_;
  HugeArray<std::uint8_t> by_name_;
};
}  // namespace

RecomputeMarks::RecomputeMarks(const CallTree& tree) : tree_(&tree) {
  RecomputeFrames frames(tree.trace());
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const auto node = id_at<NodeId>(i);
    if (tree.role(node) != Role::python_call || !frames.contains(tree.event(node))) continue;
    if (marked_.empty()) marked_.resize(tree.size(), false);
    const std::size_t end = index_of(tree.subtree_end(node));
    for (; i < end; ++i) marked_[i] = true;
    --i;  // the loop steps on to the first node behind the subtree
  }
}
}  // namespace kinetoscope
