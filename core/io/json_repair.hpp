#pragma once

// Repair of one event that a JSON parser refused. Repaired is what is wrong inside a value: escapes, control
// characters, UTF-8, quotes, words that are no JSON, commas too many. A missing brace, bracket, colon, comma or
// half-quoted key is not: a guess there would move values to other fields. Findings are counted by the kinds of
// diagnostics.hpp. Cost: one pass, O(n); the text grows at most sixfold (control characters). Clean input never comes
// here.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/diagnostics.hpp"

namespace kinetoscope::io {

struct Repair {
  std::string text;         ///< valid JSON and valid UTF-8
  Diagnostics diagnostics;  ///< what was repaired, by place in the stream
};

/// `event` is an object or array with nothing but white space behind it; its first byte stands at `offset` of the
/// stream. Nothing when it is broken beyond repair, or cut.
[[nodiscard]] std::optional<Repair> repair_event(std::string_view event, std::uint64_t offset = 0);
}  // namespace kinetoscope::io
