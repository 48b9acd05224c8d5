#pragma once

// What operators could gain: their GPU time beside what their rooflines ask for, by group of like calls and by
// category, what could be recovered most first.
//
// Recoverable is, call by call, the time that counts for the call (counted_work.hpp) beyond its roofline, never below
// 0: a call that other work hides cannot win back time that nobody waits for. Shares are of the GPU's busy time, and of
// the part of it that a model knows.
//
// Invariants, exact in nanoseconds: groups' counted times add up to categories' and to the whole's; modelled time is a
// part of counted time, counted time of busy time. Cost: O(r log r) for r rows.

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/known.hpp"
#include "core/analysis/unified_summary.hpp"

namespace kinetoscope::analysis {

/// Calls with their rooflines, added up. Rates are not_applicable without a time or a figure to divide.
struct RankedWork {
  std::uint64_t calls = 0;
  std::int64_t counted_ns = 0;
  RooflineTotals totals;
  Known<double> percent_of_busy = Reason::not_applicable;      ///< counted time
  Known<double> percent_of_modelled = Reason::not_applicable;  ///< counted time of calls with a roofline
  Known<double> percent_of_roofline = Reason::not_applicable;  ///< rooflines over GPU time of these calls
  Known<double> recoverable_percent_of_busy = Reason::not_applicable;
  Known<double> tflops_per_s = Reason::not_applicable;     ///< FLOPs over GPU time of calls with a roofline
  Known<double> terabytes_per_s = Reason::not_applicable;  ///< the same of bytes
  friend bool operator==(const RankedWork&, const RankedWork&) = default;
};

struct RooflineGroup {
  const WorkRow* row = nullptr;  ///< of the unified summary
  RankedWork ranked;
};

struct RooflineCategory {
  std::string_view category;
  RankedWork ranked;
};

struct RooflineSummary {
  std::int64_t busy_ns = 0;                  ///< some GPU work ran
  RankedWork whole;                          ///< all groups
  std::vector<RooflineGroup> groups;         ///< by recoverable time, then counted time, falling, then by example
  std::vector<RooflineCategory> categories;  ///< by recoverable time, then counted time, falling, then by name
};

/// `unified` must outlive the result; `busy_ns` is that of the same population's timeline.
[[nodiscard]] RooflineSummary roofline_summary(const UnifiedSummary& unified, std::int64_t busy_ns);
}  // namespace kinetoscope::analysis
