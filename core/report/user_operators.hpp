#pragma once

// What results say of the operators that a user added to a run: how many, and which known ones they stand in place of.

#include <cstddef>
#include <string>

#include "core/perf_model/operator_set.hpp"
#include "core/report/json.hpp"

namespace kinetoscope::report {

/// Of a user's operators that replace known ones.
inline constexpr std::size_t most_replaced_shown = 10;

/// Object `user_operators` of results; null where nothing was added.
[[nodiscard]] Json user_operators_json(const perf_model::OperatorSet& operators);
/// An indented line, or nothing.
[[nodiscard]] std::string user_operators_text(const perf_model::OperatorSet& operators);
}  // namespace kinetoscope::report
