#pragma once

// What `roofline --json` prints: schemas/artifacts/roofline.schema.json. How far a trace's work is from what its
// platform can do, ranked by what could be recovered, cut to a stated number of groups.

#include <cstddef>
#include <optional>
#include <string>

#include "core/base/diagnostics.hpp"
#include "core/trace/trace.hpp"
#include "core/analysis/roofline_report.hpp"
#include "core/report/json.hpp"

namespace kinetoscope::report {

inline constexpr std::size_t most_groups_by_default = 20;
inline constexpr std::size_t most_steps_shown = 50;

/// All that the command says. `report` is owned by the caller.
struct RooflineResult {
  std::string file;
  std::optional<PartialRead> partial;
  const analysis::RooflineReport* report = nullptr;
  std::size_t most_groups = most_groups_by_default;
  Diagnostics diagnostics;
};

[[nodiscard]] Json roofline_json(const RooflineResult& result);
}  // namespace kinetoscope::report
