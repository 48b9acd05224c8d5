#pragma once

// What a JSON string says whose escapes are resolved. Callers look for a backslash first: nearly all strings of a trace
// have none.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kinetoscope::io {

struct Unescaped {
  std::string text{};
  std::uint32_t replaced = 0;  ///< halves of surrogate pairs that stand alone: each is U+FFFD
};

/// `raw` stands between the quotes; nothing when an escape is invalid. O(length).
[[nodiscard]] std::optional<Unescaped> unescape(std::string_view raw);
}  // namespace kinetoscope::io
