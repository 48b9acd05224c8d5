#include "core/analysis/operator_categories.hpp"

#include "core/base/narrow.hpp"

namespace kinetoscope::analysis {
namespace {

using perf_model::CategoryId;

std::uint8_t memo_of(const std::optional<CategoryId>& category, std::uint8_t unknown) {
  return category ? narrow<std::uint8_t>(index_of(*category) + unknown + 1) : unknown;
}
}  // namespace

OperatorCategories::OperatorCategories(const CallTree& tree, const perf_model::OperatorRegistry& registry)
    : tree_(&tree),
      registry_(&registry),
      by_name_(tree.trace().names_count(), unasked),
      by_kernel_(tree.trace().names_count(), unasked) {}

std::uint8_t OperatorCategories::by_name(NodeId launcher) {
  // A pseudo-operator has a name that stands in no column.
  if (tree_->is_pseudo(launcher)) return memo_of(registry_->category_of(tree_->name(launcher)), unknown);
  const NameId name = tree_->trace().name(tree_->event(launcher));
  if (name == no_name) return unknown;
  std::uint8_t& memo = by_name_[index_of(name)];
  if (memo == unasked) memo = memo_of(registry_->category_of(tree_->name(launcher)), unknown);
  return memo;
}

std::uint8_t OperatorCategories::by_kernel(EventId event) {
  const NameId name = tree_->trace().name(event);
  if (name == no_name) return unknown;
  std::uint8_t& memo = by_kernel_[index_of(name)];
  if (memo == unasked) memo = memo_of(registry_->category_of_kernel(tree_->trace().text(name)), unknown);
  return memo;
}

/// Stops where an earlier walk has been, so that all walks together are one pass over the tree.
std::uint8_t OperatorCategories::by_surroundings(NodeId launcher) {
  if (around_.empty()) around_.resize(tree_->size(), unasked);
  walked_.clear();
  std::uint8_t found = unknown;
  for (NodeId at = tree_->host_parent(launcher); at != no_node; at = tree_->host_parent(at)) {
    found = around_[index_of(at)];
    if (found != unasked) break;
    walked_.push_back(at);
    found = tree_->role(at) == Role::operator_call ? by_name(at) : std::uint8_t{unknown};
    if (found != unknown) break;
  }
  for (const NodeId node : walked_) around_[index_of(node)] = found;
  return found;
}

CategoryId OperatorCategories::of(NodeId launcher, EventId first_gpu_event) {
  std::uint8_t found = by_name(launcher);
  if (found == unknown) found = by_kernel(first_gpu_event);
  if (found == unknown && tree_->role(launcher) == Role::operator_call) found = by_surroundings(launcher);
  return found == unknown ? registry_->otherwise() : id_at<CategoryId>(found - unknown - std::size_t{1});
}
}  // namespace kinetoscope::analysis
