#include "core/tree/pseudo_operators.hpp"

#include <iterator>
#include <utility>

#include "core/base/error.hpp"

namespace kinetoscope {

std::vector<PseudoInsertion> find_pseudo_operators(const CallTree& tree, const PseudoOperatorOptions& options,
                                                   Diagnostics& diagnostics) {
  const PseudoTriggers triggers(tree.trace());
  std::vector<PseudoInsertion> found;
  const auto append = [&](std::vector<PseudoInsertion> family) {
    std::ranges::move(family, std::back_inserter(found));
  };
  append(find_moe_kernels(tree, triggers, diagnostics));
  append(find_flydsl_stages(tree, triggers));
  append(find_mla_frames(tree, triggers));
  append(find_paged_decodes(tree, triggers, options));
  if (tree.trace().size() + found.size() >= index_of(no_event)) {
    throw Error({.code = ErrorCode::limit_reached, .problem = "more events and pseudo-operators than can be numbered"});
  }
  return found;
}

NodeInsertion place_around(const CallTree& tree, NodeId node) {
  return {no_event, tree.parent(node), tree.host_parent(node), node, tree.subtree_end(node)};
}

NodeInsertion place_below(const CallTree& tree, NodeId node) {
  const NodeId host_parent = tree.role(node) == Role::python_call ? tree.host_parent(node) : node;
  return {no_event, node, host_parent, id_at<NodeId>(index_of(node) + 1), tree.subtree_end(node)};
}
}  // namespace kinetoscope
