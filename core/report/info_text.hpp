#pragma once

// What `info` prints for people: what the trace can answer, where the GPU's time went, the steps, what was wrong with
// the input. Nothing here computes; foreign names are made printable.

#include <string>

#include "core/report/info_json.hpp"

namespace kinetoscope::report {

[[nodiscard]] std::string info_text(const Info& info, bool is_coloured);
/// After the texts of several traces: whether their times may be compared.
[[nodiscard]] std::string clock_text(const analysis::CommonClock& clock, bool is_coloured);
}  // namespace kinetoscope::report
