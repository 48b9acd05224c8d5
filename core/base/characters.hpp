#pragma once

// ASCII characters by kind, whatever the locale says: names and numbers in traces are read the same everywhere.

namespace kinetoscope {

[[nodiscard]] constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr bool is_upper(char c) noexcept { return c >= 'A' && c <= 'Z'; }
[[nodiscard]] constexpr bool is_lower(char c) noexcept { return c >= 'a' && c <= 'z'; }
[[nodiscard]] constexpr bool is_alphanumeric(char c) noexcept { return is_digit(c) || is_upper(c) || is_lower(c); }
}  // namespace kinetoscope
