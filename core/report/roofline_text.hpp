#pragma once

// What `roofline` prints for people: how much of the peak was used and of which peak, where the rest went, and which
// operators could win back most. Nothing here computes; foreign names are made printable.

#include <string>

#include "core/report/roofline_json.hpp"

namespace kinetoscope::report {

[[nodiscard]] std::string roofline_text(const RooflineResult& result, bool is_coloured);
}  // namespace kinetoscope::report
