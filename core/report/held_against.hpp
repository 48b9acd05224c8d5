#pragma once

// What results say of the platform that rooflines are of: which one and who said so, the ceilings that are taken, or
// why there are no rooflines.

#include <string>

#include "core/analysis/platform_choice.hpp"
#include "core/report/json.hpp"

namespace kinetoscope::report {

/// Object `platform` of the results that have rooflines.
[[nodiscard]] Json held_against_json(const analysis::HeldAgainst& held);
/// Indented lines: the platform or the reason, then notes and warnings.
[[nodiscard]] std::string held_against_text(const analysis::HeldAgainst& held, bool is_coloured);
}  // namespace kinetoscope::report
