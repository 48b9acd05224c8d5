#pragma once

// Where an event ends, in text that a JSON parser has refused: brackets are counted outside strings, and strings end by
// a tolerant rule (tolerant_string.hpp), so that defects inside a value stay inside their event. For valid JSON the
// length is exact. The grammar is tolerant_walk.hpp's, which the repairer uses too: what is cut is what is repaired.
// Cost: one pass, O(length of the value).

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace kinetoscope::io {

enum class CutResult : std::uint8_t {
  complete,
  incomplete,  ///< the text ends before the value does: more text may complete it
  broken,      ///< a structural defect, which no further text can mend
};

struct Cut {
  CutResult result = CutResult::broken;
  std::size_t length = 0;  ///< complete: of the value; broken: how far it could be read
};

/// Cuts the first value of `text`, which begins with '{' or '['. Nesting beyond 1,000 levels is broken.
[[nodiscard]] Cut cut_event(std::string_view text);
/// Where a bracketed value ends by its brackets outside strings alone, whatever is wrong inside: exporters wrote log
/// lists that are no JSON. Strings end by the strict rule.
[[nodiscard]] Cut cut_by_brackets(std::string_view text);
/// Its length, when it is complete.
[[nodiscard]] std::optional<std::size_t> event_length(std::string_view text);
}  // namespace kinetoscope::io
