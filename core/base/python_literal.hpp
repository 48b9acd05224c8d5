#pragma once

// Values as Python prints them: the form of numbers and lists in the tables, which users' scripts read back with
// ast.literal_eval. A number is the shortest text that reads back as the same double.

#include <cstdint>
#include <string>
#include <string_view>

namespace kinetoscope {

/// 0.0, 1e-05, 1e+16, 12.5. Infinity and not-a-number never stand in a table; they are written as None.
[[nodiscard]] std::string python_number(double value);
/// In single quotes; in double quotes when it has a single quote and no double one. Control characters as escapes,
/// other bytes as they are. O(length).
[[nodiscard]] std::string python_string(std::string_view text);
/// A JSON value: lists as tuples ("(5,)", "()"), true as True, null as None, objects as {'key': value} in their order,
/// integers as they are written, of any size, other numbers as python_number. Text that is no JSON comes back as
/// python_string. O(length), no recursion.
[[nodiscard]] std::string python_tuple(std::string_view json);
}  // namespace kinetoscope
