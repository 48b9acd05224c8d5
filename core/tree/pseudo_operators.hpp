#pragma once

// Where a call tree gets operators that nobody recorded. Families, each independent of the others:
//
//  - moe_pseudo_operators.cpp: one kernel of a mixture-of-experts operator becomes an operator of its own, which stands
//    where the kernel's launch stood and has the launch as its child. It takes the arguments of the mixture operator.
//  - frame_pseudo_operators.cpp: a Python frame of a kernel library becomes an operator around the frame, or around
//    everything below it. It takes the arguments of the operator that it belongs to.
//
// Which names trigger what is data: pseudo_operators.json. Cost: O(nodes + GPU events) where a family's names occur in
// the trace, nothing beside one look at each distinct name where they do not.

#include <vector>

#include "core/base/diagnostics.hpp"
#include "core/tree/call_tree.hpp"
#include "core/tree/node_insertion.hpp"
#include "core/tree/pseudo_operator.hpp"
#include "core/tree/pseudo_triggers.hpp"

namespace kinetoscope {

struct PseudoInsertion {
  PseudoOperator inserted;
  NodeInsertion place;  ///< without its event
};

/// In the order in which they get their EventIds: family after family, each in the order of the tree. Throws Error
/// limit_reached when there is no EventId left for one; counts in `diagnostics` what could not be done.
[[nodiscard]] std::vector<PseudoInsertion> find_pseudo_operators(const CallTree& tree,
                                                                 const PseudoOperatorOptions& options,
                                                                 Diagnostics& diagnostics);

// The families.
[[nodiscard]] std::vector<PseudoInsertion> find_moe_kernels(const CallTree& tree, const PseudoTriggers& triggers,
                                                            Diagnostics& diagnostics);
[[nodiscard]] std::vector<PseudoInsertion> find_flydsl_stages(const CallTree& tree, const PseudoTriggers& triggers);
[[nodiscard]] std::vector<PseudoInsertion> find_mla_frames(const CallTree& tree, const PseudoTriggers& triggers);
[[nodiscard]] std::vector<PseudoInsertion> find_paged_decodes(const CallTree& tree, const PseudoTriggers& triggers,
                                                              const PseudoOperatorOptions& options);

/// The place between `node` and its parent.
[[nodiscard]] NodeInsertion place_around(const CallTree& tree, NodeId node);
/// The place between `node`, which has children, and all of them.
[[nodiscard]] NodeInsertion place_below(const CallTree& tree, NodeId node);
}  // namespace kinetoscope
