#pragma once

// Times from their decimal text to integer nanoseconds, never through a binary double: `ts` and `dur` are microseconds
// with up to three decimals; more are rounded half to even.

#include <cstdint>
#include <string_view>

namespace kinetoscope {

struct DecimalTime {
  enum class Status : std::uint8_t {
    exact,
    rounded,       ///< more than three decimals that are not zero
    out_of_range,  ///< beyond ±largest_time_ns
    not_a_number,
  };
  std::int64_t ns = 0;  ///< only for exact and rounded
  Status status = Status::not_a_number;
  friend bool operator==(const DecimalTime&, const DecimalTime&) = default;
};

/// `text` is a JSON number, exponents included, without white space. O(length).
[[nodiscard]] DecimalTime parse_microseconds(std::string_view text) noexcept;
}  // namespace kinetoscope
