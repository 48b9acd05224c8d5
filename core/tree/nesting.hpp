#pragma once

// Which host call stands inside which, by time: the nodes of the call tree in depth-first order.
//
// Calls of a thread sort by start, then by length (the longer one is outside), then by file order; a call belongs to
// the deepest call around it. Two rules make it robust:
//  - A call that ends less than 1 us after the call around it, and lies mostly inside, is inside: exporters round.
//    Other overlaps without nesting close the earlier call. Both are counted.
//  - Operators and runtime calls nest among themselves first; Python frames are then placed between them and can never
//    change that nesting. So the host parent of a call is the same with and without Python frames. A frame that would
//    part an operator from its later children is cut at the operator's end.
// Cost: O(n) for n calls beside the sort, which is a radix sort.

#include <cstdint>
#include <optional>

#include "core/base/diagnostics.hpp"
#include "core/base/huge_array.hpp"
#include "core/trace/trace.hpp"

namespace kinetoscope {

/// Exporters round starts and ends to a microsecond or less.
inline constexpr std::int64_t nesting_tolerance_ns = 1000;

struct NestedCall {
  EventId event = no_event;
  NodeId parent = no_node;       ///< the deepest call around it, Python frames included
  NodeId host_parent = no_node;  ///< the deepest operator or runtime call around it
  NodeId subtree_end{};          ///< behind its last descendant
  friend bool operator==(const NestedCall&, const NestedCall&) = default;
};

/// Every host call with a start time, in depth-first order, thread after thread in the order of TrackIds.
[[nodiscard]] HugeArray<NestedCall> nest_calls(const Trace& trace, bool with_python, Diagnostics& diagnostics);
}  // namespace kinetoscope
