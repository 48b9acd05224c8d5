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
  if (tree_->role(node) != Role::operator_call) return id(tree_->event(node));
  return id_in(of_operators_, name, tree_->name(node));
}

std::uint32_t NodeNames::id(EventId call) {
  const Trace& trace = tree_->trace();
  const NameId name = trace.name(call);
  return name == no_name ? texts_.of(std::string_view()) : id_in(of_others_, name, trace.text(name));
}

std::uint32_t NodeNames::id_in(std::vector<std::uint32_t>& ids, NameId name, std::string_view text) {
  if (ids.empty()) ids.assign(tree_->trace().names_count(), not_asked);
  std::uint32_t& id = ids[index_of(name)];
  if (id == not_asked) id = texts_.of(text);
  return id;
}
}  // namespace kinetoscope::analysis
