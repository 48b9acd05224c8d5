#pragma once

// What the type of a tensor's elements says: its size in bytes and the precision of arithmetic on it, by the names that
// traces use ("c10::BFloat16", "float", "long int"). One table, element_types.json, for every model.
// Cost: a look-up by text of some forty names. The table is read at the first call. Threads: safe to call at once.

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/perf_model/precision.hpp"

namespace kinetoscope::perf_model {

struct ElementType {
  std::int64_t bytes = 0;              ///< of one element as the recorded shape counts it
  std::optional<Precision> precision;  ///< none for types that no arithmetic unit has a figure for
  std::int64_t values_per_byte = 1;    ///< 2 for packed 4-bit values: the shape counts bytes
  bool is_raw_bytes = false;           ///< may hold 8-bit floats or packed values, as the operator has it
  friend bool operator==(const ElementType&, const ElementType&) = default;
};

/// nullptr for a name that the table does not have. Lives as long as the program.
[[nodiscard]] const ElementType* find_element_type(std::string_view type_name);
/// Of arithmetic on it; absent for unknown names, too.
[[nodiscard]] inline std::optional<Precision> precision_of(std::string_view type_name) {
  const ElementType* const type = find_element_type(type_name);
  return type == nullptr ? std::nullopt : type->precision;
}
/// By the number that a literal such as dtype=15 gives; nullptr for one that the table does not have.
[[nodiscard]] const ElementType* find_scalar_type(std::int64_t number);
}  // namespace kinetoscope::perf_model
