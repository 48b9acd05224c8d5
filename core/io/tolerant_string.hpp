#pragma once

// Where a damaged JSON string ends. A quote without a backslash ends it only where the text goes on as JSON does after
// a string: after a key with ':', after a value with '}', ']', or a comma and something that can begin what comes next.
// Other quotes are text. In valid JSON every closing quote passes this test and no other quote is bare, so the end is
// exact. Once an escape is invalid, backslashes are letters (Windows paths), and a quote after one is tested like any
// other. Two signs say that not a quote but a bracket, comma, colon or quote of the structure is missing; then the text
// is broken: in a value, a quote that ends a key (`": 1`); in a key, a quote followed by a value, or one that opens a
// key (`, "`). Cost: O(length); white space after a quote is looked at twice at the most.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/io/event_cutter.hpp"

namespace kinetoscope::io {

enum class StringPlace : std::uint8_t { key, member_value, element };

struct StringEnd {
  CutResult result = CutResult::broken;
  std::size_t position = 0;  ///< behind the closing quote; where reading stopped, unless complete
  bool has_invalid_escape = false;
  bool has_unescaped_quotes = false;
};

/// The end of the string whose opening quote stands at `begin`.
[[nodiscard]] StringEnd find_string_end(std::string_view text, std::size_t begin, StringPlace place) noexcept;

/// How many bytes the escape at `position` (a backslash) takes: 2, or 6 for \uXXXX; 0 when it is invalid.
[[nodiscard]] std::size_t escape_length(std::string_view text, std::size_t position) noexcept;

/// The first position from `position` on that is no JSON white space; the size of `text` when there is none.
[[nodiscard]] std::size_t skip_white_space(std::string_view text, std::size_t position) noexcept;
}  // namespace kinetoscope::io
