#include "core/perf_model/operator_set.hpp"

namespace kinetoscope::perf_model {

OperatorSet::OperatorSet(std::vector<UserOperator> added) {
  if (!added.empty()) state_ = std::make_shared<const State>(std::move(added));
}

std::span<const UserOperator> OperatorSet::added() const noexcept {
  return state_ ? std::span<const UserOperator>(state_->added) : std::span<const UserOperator>();
}

std::vector<std::string_view> OperatorSet::replaced() const {
  std::vector<std::string_view> names;
  for (const UserOperator& one : added()) {
    if (operator_registry().find(one.name) != nullptr) names.push_back(one.name);
  }
  return names;
}
}  // namespace kinetoscope::perf_model
