#pragma once

// How far a trace's work is from what its platform can do: the roofline of every group of like calls, and what became
// of the devices' time. What the command `roofline` and the tool of that name say.
//
// The population is the tables' (decision 4), under the same options; those that only add columns or sheets change
// nothing. Without a platform there are FLOPs and bytes, but neither rooflines nor efficiency, and held.reason says
// why. Cost: O(n log n) for n events. Texts are valid as long as trace and tree; moving is safe.

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>

#include "core/base/diagnostics.hpp"
#include "core/tree/steps.hpp"
#include "core/analysis/efficiency.hpp"
#include "core/analysis/overview.hpp"
#include "core/analysis/platform_choice.hpp"
#include "core/analysis/roofline_summary.hpp"
#include "core/analysis/timeline.hpp"

namespace kinetoscope::analysis {

struct RooflineReport {
  TableOptions options;
  HeldAgainst held;                   ///< which platform, and how it was chosen
  std::uint64_t events_in_scope = 0;  ///< GPU work, linked or not
  std::uint64_t events = 0;           ///< of it, what this is over
  Unlinked unlinked;                  ///< of the work in scope
  Timeline timeline;
  CallEstimates estimates;  ///< that rows point into
  UnifiedSummary unified;
  RooflineSummary summary;
  std::optional<Efficiency> efficiency;  ///< absent without a platform
  Diagnostics diagnostics;
};

/// As make_tables(). Throws Error interrupted soon after `stop` was asked for.
[[nodiscard]] RooflineReport make_roofline_report(const CallTree& tree, const GpuBuckets& buckets,
                                                  std::span<const EventId> in_scope, std::span<const Step> steps,
                                                  const TableOptions& options, const std::stop_token& stop = {});
}  // namespace kinetoscope::analysis
