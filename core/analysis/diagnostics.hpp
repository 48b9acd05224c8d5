#pragma once

// What can be wrong between traces that are looked at together.

#include "core/base/diagnostics.hpp"

namespace kinetoscope::analysis_diagnostics {

inline constexpr DiagnosticKind rank_conflict = {
    "rank_conflict", Severity::warning, "several inputs say they are the same rank: none of them is trusted to be"};
}  // namespace kinetoscope::analysis_diagnostics
