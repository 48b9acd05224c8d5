#pragma once

// Which operator a kernel sheet names beside a kernel: the nearest one around the call that launched it. Python frames
// and runtime calls between are passed over, operators named "execute" are not: unlike CallTree::launcher(), which is
// whom operator sheets charge. Remembers what it walked through, so that launches deep inside one another cost no more
// than their number: O(1) a launch, amortised.

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/dense_ids.hpp"
#include "core/tree/call_tree.hpp"

namespace kinetoscope::analysis {

class ParentOperators {
 public:
  /// `tree` must outlive this.
  explicit ParentOperators(const CallTree& tree) : tree_(&tree) {}
  /// no_node without one, and of no_node.
  [[nodiscard]] NodeId around(NodeId launch);

 private:
  const CallTree* tree_;
  std::unordered_map<std::uint32_t, NodeId> around_runtime_call_;  // of runtime calls inside runtime calls
  std::vector<NodeId> walked_;
};

/// Numbers for the names of nodes, equal for equal texts: grouping by a node's name costs no text an event.
class NodeNames {
 public:
  explicit NodeNames(const CallTree& tree) : tree_(&tree) {}
  [[nodiscard]] std::uint32_t id(NodeId node);
  /// Of a recorded event that is no operator, whether it is a node or not.
  [[nodiscard]] std::uint32_t id(EventId call);
  /// Valid as long as the tree and its trace.
  [[nodiscard]] std::string_view text(std::uint32_t id) const noexcept { return texts_.value(id); }

 private:
  [[nodiscard]] std::uint32_t id_in(std::vector<std::uint32_t>& ids, NameId name, std::string_view text);

  const CallTree* tree_;
  DenseIds<std::string_view> texts_;
  std::vector<std::uint32_t> of_operators_;  // by NameId; the tree may cut an operator's name, no other node's
  std::vector<std::uint32_t> of_others_;
};
}  // namespace kinetoscope::analysis
