#pragma once

// "Did you mean": which of some names is most like one that is none of them.

#include <span>
#include <string>
#include <string_view>

namespace kinetoscope::tools {

/// The name that takes the fewest insertions, deletions and replacements of characters, the first of equal ones; empty
/// where more than half of the longer one would change. O(length²) for each name; a text of more than 64 bytes is like
/// none.
[[nodiscard]] std::string closest_name(std::string_view given, std::span<const std::string> names);
}  // namespace kinetoscope::tools
