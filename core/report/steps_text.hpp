#pragma once

// The steps of a trace for people: the first, the last and the slowest, and how many were left out.

#include <string>

#include "core/analysis/overview.hpp"

namespace kinetoscope::report {

inline constexpr std::size_t most_step_lines = 12;

[[nodiscard]] std::string steps_text(const analysis::Overview& overview, bool is_coloured);
}  // namespace kinetoscope::report
