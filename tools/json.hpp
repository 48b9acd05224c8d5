#pragma once

// JSON of tools' arguments and results: keys in the order in which they are written.

#include "core/report/json.hpp"

namespace kinetoscope::tools {

using Json = report::Json;
}  // namespace kinetoscope::tools
