#pragma once

// What to ask after a trace was loaded: the tools whose question it can answer, with arguments that can be sent as they
// are.

#include <string>

#include "core/analysis/fitness.hpp"
#include "tools/json.hpp"

namespace kinetoscope::tools {

/// An array of {tool, arguments, why}.
[[nodiscard]] Json next_actions(const analysis::FitnessReport& fitness, const std::string& trace_id);
[[nodiscard]] Json next_action(const char* tool, Json arguments, const char* why);
}  // namespace kinetoscope::tools
