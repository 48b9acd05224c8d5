#include "core/tree/node_insertion.hpp"

#include <algorithm>
#include <tuple>

namespace kinetoscope {
namespace {

class Inserter {
 public:
  Inserter(const HugeArray<NestedCall>& nodes, std::vector<NodeInsertion> insertions)
      : nodes_(nodes), insertions_(std::move(insertions)) {
    std::ranges::stable_sort(insertions_, [](const NodeInsertion& left, const NodeInsertion& right) {
      return std::tuple(left.begin, right.end) < std::tuple(right.begin, left.end);
    });
    number_old_nodes();
  }

  InsertedNodes run() {
    out_.nodes.reserve(nodes_.size() + insertions_.size());
    std::size_t next = 0;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const auto old = id_at<NodeId>(i);
      while (!open_.empty() && open_.back().insertion->end <= old) open_.pop_back();
      for (; next < insertions_.size() && insertions_[next].begin == old; ++next) place_new(insertions_[next]);
      place_old(nodes_[i]);
    }
    return std::move(out_);
  }

 private:
  struct Open {
    const NodeInsertion* insertion = nullptr;
    NodeId node = no_node;
  };

  /// A node moves back by the insertions that begin at or before it; an end by those that begin before it.
  void number_old_nodes() {
    out_.moved_to.reserve(nodes_.size());
    new_ends_.reserve(nodes_.size() + 1);
    std::size_t before = 0;
    for (std::size_t i = 0; i <= nodes_.size(); ++i) {
      new_ends_.push_back(id_at<NodeId>(i + before));
      while (before < insertions_.size() && index_of(insertions_[before].begin) == i) ++before;
      if (i < nodes_.size()) out_.moved_to.push_back(id_at<NodeId>(i + before));
    }
  }

  [[nodiscard]] NodeId moved(NodeId old) const { return old == no_node ? no_node : out_.moved_to[index_of(old)]; }

  /// The innermost new node stands between `old_parent` and what is at hand exactly when it took that one's children.
  [[nodiscard]] NodeId parent_now(NodeId old_parent) const {
    const bool is_between = !open_.empty() && open_.back().insertion->parent == old_parent;
    return is_between ? open_.back().node : moved(old_parent);
  }
  [[nodiscard]] NodeId host_parent_now(NodeId old_host_parent) const {
    if (open_.empty()) return moved(old_host_parent);
    const bool is_inside = old_host_parent != no_node && old_host_parent >= open_.back().insertion->begin;
    return is_inside ? moved(old_host_parent) : open_.back().node;
  }

  void place_new(const NodeInsertion& insertion) {
    NestedCall node;
    node.event = insertion.event;
    node.parent = parent_now(insertion.parent);
    node.host_parent = host_parent_now(insertion.host_parent);
    node.subtree_end = new_ends_[index_of(insertion.end)];
    open_.push_back({&insertion, id_at<NodeId>(out_.nodes.size())});
    out_.nodes.push_back(node);
  }

  void place_old(const NestedCall& old) {
    NestedCall node;
    node.event = old.event;
    node.parent = parent_now(old.parent);
    node.host_parent = host_parent_now(old.host_parent);
    node.subtree_end = new_ends_[index_of(old.subtree_end)];
    out_.nodes.push_back(node);
  }

  const HugeArray<NestedCall>& nodes_;
  std::vector<NodeInsertion> insertions_;
  HugeArray<NodeId> new_ends_;  // by old node, and behind the last
  std::vector<Open> open_;
  InsertedNodes out_;
};
}  // namespace

InsertedNodes insert_nodes(const HugeArray<NestedCall>& nodes, std::vector<NodeInsertion> insertions) {
  return Inserter(nodes, std::move(insertions)).run();
}
}  // namespace kinetoscope
