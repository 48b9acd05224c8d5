#pragma once

// Whether the times of several traces may be compared. Each file's times count from its own base: only where every file
// says its base can they be put on one clock; else no time of one may be held against another's.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/diagnostics.hpp"
#include "core/analysis/overview.hpp"

namespace kinetoscope::analysis {

/// One trace on the common clock. Absent where unknown.
struct ClockPlace {
  std::optional<std::int64_t> base_time_ns;        ///< nanoseconds since 1970
  std::optional<std::int64_t> offset_ns;           ///< its base behind the earliest one
  std::optional<std::int64_t> first_gpu_event_ns;  ///< since 1970
  Diagnostics diagnostics;                         ///< rank_conflict
};

struct CommonClock {
  bool is_aligned = false;
  std::string reason;              ///< why not; empty when aligned
  std::vector<ClockPlace> places;  ///< one for each trace, in their order
};

[[nodiscard]] CommonClock common_clock_of(std::span<const Overview* const> overviews);
}  // namespace kinetoscope::analysis
