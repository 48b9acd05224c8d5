#pragma once

// Patterns over names: `*` stands for any characters, also none, `?` for one character, everything else for itself.
// Case counts. Cost: O(pattern + text) where there is one `*`, O(pattern * text) at the worst; no recursion.

#include <string_view>

namespace kinetoscope {

/// The whole `text` fits `pattern`. A character is a code point of UTF-8.
[[nodiscard]] bool matches_glob(std::string_view text, std::string_view pattern) noexcept;
}  // namespace kinetoscope
