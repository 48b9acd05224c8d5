#pragma once

// What `platforms` prints for people: the main figures of the known platforms, each marked by its kind. Nothing here
// computes.

#include <string>

#include "core/perf_model/platform_table.hpp"

namespace kinetoscope::report {

[[nodiscard]] std::string platforms_text(const perf_model::PlatformTable& table, bool is_coloured);
}  // namespace kinetoscope::report
