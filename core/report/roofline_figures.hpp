#pragma once

// The two figures of a roofline result: groups under their ceilings, and where 100 % of the peak went. Without a
// platform they say that there is none.

#include <string>

#include "core/report/roofline_json.hpp"

namespace kinetoscope::report {

/// Names in it are as the trace has them.
[[nodiscard]] std::string roofline_svg(const RooflineResult& result);
[[nodiscard]] std::string waterfall_svg(const RooflineResult& result);
}  // namespace kinetoscope::report
