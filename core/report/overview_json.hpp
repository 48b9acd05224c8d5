#pragma once

// The result of the tool `overview`: how well the GPU was used, and by what. Cut to a stated number of operators.

#include <cstddef>

#include "core/analysis/tables.hpp"
#include "core/report/info_json.hpp"
#include "core/report/json.hpp"

namespace kinetoscope::report {

struct OverviewPage {
  std::size_t first_operator = 0;
  std::size_t most_operators = 10;
};

/// Both of the same trace; steps are listed as far as there are few of them.
[[nodiscard]] Json overview_json(const Info& info, const analysis::Tables& tables, const OverviewPage& page);

/// What `load_trace` says of a trace: what it is, how well the GPU was used, and what can be asked.
[[nodiscard]] Json loaded_json(const Info& info);
}  // namespace kinetoscope::report
