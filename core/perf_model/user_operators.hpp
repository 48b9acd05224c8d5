#pragma once

// Reads operators that a user adds for a run from JSON: names with their category, sheet, and model with the positions
// of its arguments, in the form of the entries of operators.json (schemas/data/user_operators.schema.json).
// What does not fit is refused with the whole file: by file, field and reason. Cost: O(size of the file).

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/perf_model/model_family.hpp"

namespace kinetoscope::perf_model {

struct UserOperator {
  std::string name;
  std::string category;
  std::string backward_category{};      ///< of backward work that a model knows; the category where nothing is said
  std::string sheet{};                  ///< one that the program has; empty: in no sheet of a category
  const ModelFamily* family = nullptr;  ///< nullptr: no model
  Layout layout{};
  friend bool operator==(const UserOperator&, const UserOperator&) = default;
};

inline constexpr std::size_t most_user_operator_bytes = std::size_t{1} << 20;
/// Categories that the program does not have, in one file.
inline constexpr std::size_t most_new_categories = 64;
inline constexpr std::size_t longest_category = 100;

/// In the order of the file, no name twice. `input` names it in errors: Error data_file_invalid.
[[nodiscard]] std::vector<UserOperator> read_user_operators(std::string_view json, const std::string& input);
/// The same of a file, of which at most most_user_operator_bytes are read. Also throws what reading throws.
[[nodiscard]] std::vector<UserOperator> read_user_operators_file(const std::string& path);
}  // namespace kinetoscope::perf_model
