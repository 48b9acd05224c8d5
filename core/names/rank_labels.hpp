#pragma once

// The rank that a merged file writes before its process names: "[TP00-DP01-PP00-EP00] 4711", each part being the place
// along one way of splitting the model or its data. Cost: O(length). Safe from any thread.

#include <optional>
#include <string>
#include <string_view>

namespace kinetoscope::names {

/// The text between the brackets when all of it is parts of capitals and digits joined by hyphens ("TP00-DP01"); absent
/// for any other name.
[[nodiscard]] std::optional<std::string> rank_label(std::string_view process_name);
}  // namespace kinetoscope::names
