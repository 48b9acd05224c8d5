#pragma once

// Whether a value fits a JSON Schema. A library decides; its headers are the slowest of all to compile and stay in the
// source.

#include <string>

#include "tools/json.hpp"

namespace kinetoscope::tools {

/// What does not fit, in a clause: the library's first finding. Empty when all does.
[[nodiscard]] std::string schema_problem(const Json& schema, const Json& value);
}  // namespace kinetoscope::tools
