#pragma once

// JSON that the program prints: keys in the order in which they are written.

#include <string>

#include <nlohmann/json.hpp>

namespace kinetoscope::report {

using Json = nlohmann::ordered_json;

/// Indented, with a line end behind it; bytes that are not UTF-8 are replaced.
[[nodiscard]] std::string json_text(const Json& document);
/// The same on one line, without spaces and without a line end.
[[nodiscard]] std::string one_line(const Json& document);
}  // namespace kinetoscope::report
