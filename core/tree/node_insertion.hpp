#pragma once

// New nodes in a depth-first array of nodes: each takes over some consecutive children of one node, with all that is
// below them. One pass over the nodes, whatever the number of insertions; the old array stays as it is.

#include <vector>

#include "core/base/huge_array.hpp"
#include "core/tree/nesting.hpp"

namespace kinetoscope {

/// An operator `event` between `parent` and those of its children that stand in [begin, end).
struct NodeInsertion {
  EventId event = no_event;
  NodeId parent = no_node;       ///< of the children; no_node when they are roots
  NodeId host_parent = no_node;  ///< `parent`, or the operator or runtime call around it when it is a Python frame
  NodeId begin{};                ///< the first child to take over
  NodeId end{};                  ///< behind the last descendant of the last one; behind `begin`
  friend bool operator==(const NodeInsertion&, const NodeInsertion&) = default;
};

struct InsertedNodes {
  HugeArray<NestedCall> nodes;
  HugeArray<NodeId> moved_to;  ///< by old node: where it stands now
};

/// Ranges nest. Of those with one begin the longer is outside, of equal ones the earlier.
/// Cost: O(nodes + insertions log insertions).
[[nodiscard]] InsertedNodes insert_nodes(const HugeArray<NestedCall>& nodes, std::vector<NodeInsertion> insertions);
}  // namespace kinetoscope
