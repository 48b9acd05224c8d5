#pragma once

// The operators that a run knows: those of the program, and a user's beside them or in their place. A value: cheap to
// copy, equal by what the user added. Threads: safe to read at once.

#include <algorithm>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/perf_model/operator_registry.hpp"
#include "core/perf_model/user_operators.hpp"

namespace kinetoscope::perf_model {

class OperatorSet {
 public:
  /// Those of the program alone.
  OperatorSet() = default;
  /// O(known operators), but for an empty list.
  explicit OperatorSet(std::vector<UserOperator> added);

  /// Valid as long as this or a copy of it.
  [[nodiscard]] const OperatorRegistry& registry() const { return state_ ? state_->registry : operator_registry(); }
  [[nodiscard]] std::span<const UserOperator> added() const noexcept;
  /// Of the added ones, those that stand in the place of the program's: in their order. Valid as registry() is.
  [[nodiscard]] std::vector<std::string_view> replaced() const;

  friend bool operator==(const OperatorSet& left, const OperatorSet& right) noexcept {
    return left.state_ == right.state_ || std::ranges::equal(left.added(), right.added());
  }

 private:
  struct State {
    explicit State(std::vector<UserOperator> operators)
        : added(std::move(operators)), registry(operator_registry(), added) {}
    std::vector<UserOperator> added;
    OperatorRegistry registry;
  };
  std::shared_ptr<const State> state_;  // nullptr: nothing is added
};
}  // namespace kinetoscope::perf_model
