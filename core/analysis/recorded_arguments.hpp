#pragma once

// What a file says of one event beside name and time: its arguments, under their keys. O(argument columns).

#include <cstddef>
#include <string>
#include <vector>

#include "core/trace/trace.hpp"

namespace kinetoscope::analysis {

struct RecordedArgument {
  std::string key;       ///< as profilers write it: "Input Dims"
  std::string text;      ///< of numbers and structures JSON, else the text itself
  bool is_json = false;  ///< `text` is JSON
  bool is_cut = false;   ///< only its first bytes; then it is no JSON
  friend bool operator==(const RecordedArgument&, const RecordedArgument&) = default;
};

/// In the order of the argument table, what has no column last, under the key "other". Texts are cut at `most_bytes`,
/// between characters.
[[nodiscard]] std::vector<RecordedArgument> recorded_arguments(const Trace& trace, EventId event,
                                                               std::size_t most_bytes);
}  // namespace kinetoscope::analysis
