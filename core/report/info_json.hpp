#pragma once

// What `info --json` prints: schemas/artifacts/info.schema.json. First the keys that programs may rely on, then ours.
// Unknown is null with `<field>_reason` beside it. All text is valid UTF-8; numbers are exact integers, shares apart.

#include <string>
#include <vector>

#include "core/base/diagnostics.hpp"
#include "core/analysis/common_clock.hpp"
#include "core/analysis/fitness.hpp"
#include "core/analysis/gpu_population.hpp"
#include "core/analysis/overview.hpp"
#include "core/analysis/suspect_durations.hpp"
#include "core/report/json.hpp"

namespace kinetoscope::report {

/// All that `info` says of one trace. It owns everything, so that the trace itself can go.
struct Info {
  std::string file;
  analysis::Overview overview;
  analysis::GpuPopulation all;
  analysis::GpuPopulation linked;
  analysis::GpuPopulation clipped;
  std::vector<analysis::SuspectDuration> suspects;
  analysis::FitnessReport fitness;
  Diagnostics diagnostics;
  /// Only where several traces are looked at together; owned by the caller.
  const analysis::CommonClock* clock = nullptr;
  std::size_t clock_place = 0;
};

[[nodiscard]] Json info_json(const Info& info);
}  // namespace kinetoscope::report
