#pragma once

// Arguments as clients send them, made into what a handler gets: models write numbers as texts and null for "nothing",
// and that is taken as it is meant. All else that does not fit is an Error that says what would.

#include <string>

#include "tools/json.hpp"
#include "tools/tool.hpp"

namespace kinetoscope::tools {

/// `given` with texts read as the numbers, truth values, arrays or objects that the tool's input schema asks for,
/// nulls left out, and defaults filled in. Throws Error argument_invalid: an unknown name with the closest known one, a
/// missing argument, or a value that does not fit with what does.
[[nodiscard]] Json checked_arguments(const Tool& tool, const Json& given);

/// What a value of this schema may be, in words: "an integer from 1 to 100", "one of json, csv".
[[nodiscard]] std::string accepted_values(const Json& schema);
}  // namespace kinetoscope::tools
