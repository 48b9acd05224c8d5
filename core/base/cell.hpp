#pragma once

// One cell of a table, typed until it is written: missing, truth, number or text. Lists and dictionaries are text in
// Python's literal syntax (python_literal.hpp), which is what scripts that read the tables parse. Nothing here knows
// what a column means.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/base/known.hpp"
#include "core/base/wide_sum.hpp"

namespace kinetoscope {

using Cell = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

/// Missing where the value is unknown; the reason stands in the column's meaning.
template <typename T>
[[nodiscard]] Cell cell_of(const Known<T>& value) {
  return value ? Cell(*value) : Cell();
}
[[nodiscard]] inline Cell cell_of(std::optional<std::string_view> text) {
  return text ? Cell(std::string(*text)) : Cell();
}
[[nodiscard]] inline Cell cell_of(std::optional<std::int64_t> number) { return number ? Cell(*number) : Cell(); }
/// Nanoseconds in the unit of the tables that users know. The nearest double: 1 ns is 0.001.
[[nodiscard]] constexpr double microseconds(WideSum duration_ns) noexcept {
  return static_cast<double>(duration_ns) / 1e3;
}
[[nodiscard]] constexpr double milliseconds(WideSum duration_ns) noexcept {
  return static_cast<double>(duration_ns) / 1e6;
}
}  // namespace kinetoscope
