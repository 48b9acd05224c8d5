#pragma once

// All linked GPU work but communication, each kernel under one call: the outermost operator that a model knows,
// backward work that belongs to a forward operator with a model, else the operator that launched it. What
// unified_perf_summary is made of, and what says which calls count in the category sheets (decision 5).
//
//   1. The outermost operators with a model take all GPU work of their subtrees.
//   2. The only operator of its name below an autograd call whose forward operator's model knows backward work takes
//   its
//      subtree as that work, unless operators with a model stand inside it.
//   3. Of what is left: operators that launch GPU work themselves, none of it communication, and hold no operator with
//   a
//      model.
//   4. What is left then: single events, each by itself, under whoever launched it.
//
// Calls of 1 to 3 are disjoint subtrees, so each event stands under one call. Cost: O(n log n).

#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/call_estimates.hpp"
#include "core/analysis/launchers.hpp"

namespace kinetoscope::analysis {

enum class WorkKind : std::uint8_t {
  modelled,      ///< by the operator's own model
  backward,      ///< by the backward model of `forward`
  plain,         ///< no model knows the operator
  single_event,  ///< one event that no operator above takes
};

/// Beside the launcher of the same place.
struct Work {
  WorkKind kind = WorkKind::plain;
  std::uint32_t estimate = CallEstimates::none;  ///< of CallEstimates
  NodeId forward = no_node;                      ///< of backward work: the forward call
  /// The call's place in the file; single events have numbers of their own behind the last event, by which tables name
  /// their rows.
  std::uint64_t id = 0;
  friend bool operator==(const Work&, const Work&) = default;
};

struct OperatorWork {
  /// In depth-first order, single events behind them by launcher, then in file order; direct_ns is how long some event
  /// of the call ran, communication included. A call's events by start.
  Launchers calls;
  std::vector<Work> work;  ///< by place of the call
};

/// A call with the events that stand last in `calls`, from `first_event` on: sorts them and measures how long they ran.
/// What counts is left to the caller.
[[nodiscard]] Launcher measured_call(const TableInput& input, Launchers& calls, NodeId node, std::uint32_t first_event);

/// `counted_ns` is counted_times_ns() of the input's events.
[[nodiscard]] OperatorWork operator_work(const TableInput& input, std::span<const std::int64_t> counted_ns,
                                         CallEstimates& estimates);
}  // namespace kinetoscope::analysis
