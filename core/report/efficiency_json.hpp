#pragma once

// Object `efficiency` of results: MFU, HFU and MBU with what they were divided by, and the loss waterfall, of the whole
// and by step.

#include <cstddef>

#include "core/analysis/efficiency.hpp"
#include "core/report/json.hpp"

namespace kinetoscope::report {

/// More than all of a peak: a model claims too much work, or the trace too little time.
[[nodiscard]] bool is_above_peak(const analysis::Utilisation& part);

/// Of the steps at most so many, from the first.
[[nodiscard]] Json efficiency_json(const analysis::Efficiency& efficiency, std::size_t most_steps);
}  // namespace kinetoscope::report
