#pragma once

// Bytes of one value of a mixture of experts' operands, whose sizes are counted in values however they are packed: half
// a byte for a 4-bit value. An integer type says nothing of the values that are packed into it (four bits, eight bits,
// two of them in a byte), nor does a type that nobody knows: there each operand has its usual size.
// Cost: a look-up in the one table of element types.

#include <optional>
#include <string_view>

namespace kinetoscope::perf_model {

/// Usual sizes: activations in half precision, weights quantised to a byte.
inline constexpr double usual_activation_bytes = 2;
inline constexpr double usual_weight_bytes = 1;

/// Absent for integers and for unknown names.
[[nodiscard]] std::optional<double> bytes_per_value(std::string_view type_name);
}  // namespace kinetoscope::perf_model
