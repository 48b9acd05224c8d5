#pragma once

// Numbers and foreign text for people: the only place that turns figures into text, JSON apart. No locale.

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/wide_sum.hpp"

namespace kinetoscope {

/// Foreign text made safe for a terminal or a log line: control characters, quotes' surroundings and invalid UTF-8 are
/// written as escapes (\n, \t, \u0001, \ufffd), and anything beyond `limit` characters is cut and marked with "…".
[[nodiscard]] std::string printable(std::string_view foreign, std::size_t limit = 80);
/// The same between double quotes, inner quotes and backslashes escaped.
[[nodiscard]] std::string in_quotes(std::string_view foreign, std::size_t limit = 80);

/// 1234567 -> "1,234,567".
[[nodiscard]] std::string with_separators(std::int64_t number);
/// A duration with the unit that keeps three to six significant digits: "850 ns", "12.345 us", "1.750 s".
[[nodiscard]] std::string duration_text(WideSum duration_ns);
/// Decimal multiples: "9.7 MB".
[[nodiscard]] std::string bytes_text(std::uint64_t bytes);
/// A share from 0 to 1 as "12.3 %".
[[nodiscard]] std::string share_text(double share);
/// How many terminal columns UTF-8 text takes; wide East Asian characters count two, combining marks none.
[[nodiscard]] std::size_t display_width(std::string_view utf8) noexcept;
}  // namespace kinetoscope
