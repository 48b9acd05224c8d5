#pragma once

// What a JSON string says whose escapes are resolved. Callers look for a backslash first: nearly all strings of a trace
// have none.

#include <optional>
#include <string>
#include <string_view>

namespace kinetoscope::io {

/// `raw` stands between the quotes. Half of a surrogate pair becomes U+FFFD; nothing when an escape is invalid.
/// O(length).
[[nodiscard]] std::optional<std::string> unescape(std::string_view raw);
}  // namespace kinetoscope::io
