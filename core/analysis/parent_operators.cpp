#include "core/analysis/parent_operators.hpp"

namespace kinetoscope::analysis {
namespace {
constexpr std::uint32_t not_asked = 0xffff'ffff;
}  // namespace

NodeId ParentOperators::around(NodeId launch) {
  if (launch == no_node) return no_node;
  NodeId above = tree_->host_parent(launch);
  if (above == no_node || tree_->role(above) == Role::operator_call) return above;
  walked_.clear();
  while (above != no_node && tree_->role(above) != Role::operator_call) {
    const auto known = around_runtime_call_.find(static_cast<std::uint32_t>(above));
    if (known != around_runtime_call_.end()) {
      above = known->second;
      break;
    }
    walked_.push_back(above);
    above = tree_->host_parent(above);
  }
  for (const NodeId call : walked_) around_runtime_call_.emplace(static_cast<std::uint32_t>(call), above);
  return above;
}

std::uint32_t NodeNames::id(NodeId node) {
  const NameId name = tree_->is_pseudo(node) ? no_name : tree_->trace().name(tree_->event(node));
  if (name == no_name) return texts_.of(tree_->name(node));
  std::vector<std::uint32_t>& ids = tree_->role(node) == Role::operator_call ? of_operators_ : of_others_;
  if (ids.empty()) ids.assign(tree_->trace().names_count(), not_asked);
  std::uint32_t& id = ids[index_of(name)];
  if (id == not_asked) id = texts_.of(tree_->name(node));
  return id;
}
}  // namespace kinetoscope::analysis
