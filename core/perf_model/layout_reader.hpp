#pragma once

// Reads where an operator's arguments stand, from JSON: {"a": 0, "b": 1, "causal": [10, 11], "order_b": "nk"}. What
// does not fit the family is refused by field and reason, in the data that the program is built with and in users'
// files.

#include <stdexcept>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/perf_model/model_family.hpp"

namespace kinetoscope::perf_model {

/// Positions beyond this are a mistake: no operator has so many arguments.
inline constexpr std::size_t most_positions = 256;

/// What is wrong with one entry: a clause that names the field.
class LayoutProblem final : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws LayoutProblem: a field that the family does not have, a value of another kind, or a required field missing.
[[nodiscard]] Layout read_layout(const ModelFamily& family, const nlohmann::json& arguments);
}  // namespace kinetoscope::perf_model
