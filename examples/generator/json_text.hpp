#pragma once

// Values as JSON text. Times are written digit by digit from integer nanoseconds, so that a generated trace says
// exactly what the generator knows; a document model would pass them through binary doubles.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kinetoscope::examples {

/// `text` between quotes; quotes, backslashes and control characters escaped, other bytes as they are.
[[nodiscard]] std::string json_string(std::string_view text);

/// Microseconds with three decimals, as Kineto prints them: 1234567 -> "1234.567", -50 -> "-0.050".
[[nodiscard]] std::string microseconds(std::int64_t time_ns);

/// The same time by way of a double and ten decimals, as float sums of newer exporters come out. Below 2^53 ns the tail
/// is less than half a nanosecond, so rounding gives the time back.
[[nodiscard]] std::string microseconds_with_tail(std::int64_t time_ns);

/// {1, 2} -> "[1, 2]".
[[nodiscard]] std::string list_of(const std::vector<std::int64_t>& numbers);
/// Lists longer than 30 as PyTorch writes them: the first 30, "...", and the last one.
[[nodiscard]] std::string elided_list_of(const std::vector<std::int64_t>& numbers);
}  // namespace kinetoscope::examples
