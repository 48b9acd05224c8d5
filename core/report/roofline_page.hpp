#pragma once

// The result of the tool `roofline`: the same as `roofline --json` says, cut to what a reader needs first, a page of
// groups at a time.

#include <cstddef>

#include "core/analysis/roofline_report.hpp"
#include "core/report/json.hpp"

namespace kinetoscope::report {

struct GroupPage {
  std::size_t first_group = 0;
  std::size_t most_groups = 8;
};

[[nodiscard]] Json roofline_page_json(const analysis::RooflineReport& report, const GroupPage& page);
}  // namespace kinetoscope::report
