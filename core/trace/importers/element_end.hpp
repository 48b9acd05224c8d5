#pragma once

// The elements of the events array: what stands between two, and where one ends.

#include <cstddef>
#include <string_view>

namespace kinetoscope::importers {

/// A comma or white space; a control character, which JSON knows only inside texts, escaped, is passed over like it.
[[nodiscard]] constexpr bool is_separator(char c) noexcept { return c == ',' || static_cast<unsigned char>(c) <= ' '; }

/// Of the object, list or scalar that `text` begins with, by the rule that forgives quotes inside texts. 0 when it does
/// not end in `text`, or there is none.
[[nodiscard]] std::size_t length_of_element(std::string_view text);
}  // namespace kinetoscope::importers
