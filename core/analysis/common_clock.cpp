#include "core/analysis/common_clock.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "core/analysis/diagnostics.hpp"

namespace kinetoscope::analysis {
namespace {

/// Absent where the sum does not fit.
std::optional<std::int64_t> sum_of(std::optional<std::int64_t> left, std::optional<std::int64_t> right) {
  std::int64_t sum = 0;
  if (!left || !right || __builtin_add_overflow(*left, *right, &sum)) return {};
  return sum;
}

std::optional<std::int64_t> difference_of(std::int64_t left, std::int64_t right) {
  std::int64_t difference = 0;
  if (__builtin_sub_overflow(left, right, &difference)) return {};
  return difference;
}

void report_rank_conflicts(std::span<const Overview* const> overviews, std::vector<ClockPlace>& places) {
  std::map<std::int64_t, std::vector<std::size_t>> claims;
  for (std::size_t i = 0; i < overviews.size(); ++i) {
    if (overviews[i]->ranks.rank) claims[*overviews[i]->ranks.rank].push_back(i);
  }
  for (const auto& [rank, claimants] : claims) {
    if (claimants.size() < 2) continue;
    for (const std::size_t claimant : claimants) {
      places[claimant].diagnostics.add(analysis_diagnostics::rank_conflict);
    }
  }
}
}  // namespace

CommonClock common_clock_of(std::span<const Overview* const> overviews) {
  CommonClock clock;
  std::size_t without_base = 0;
  std::int64_t earliest_ns = INT64_MAX;
  for (const Overview* const overview : overviews) {
    ClockPlace place;
    place.base_time_ns = overview->base_time_ns;
    if (!overview->base_time_ns) ++without_base;
    earliest_ns = std::min(earliest_ns, overview->base_time_ns.value_or(INT64_MAX));
    clock.places.push_back(std::move(place));
  }
  report_rank_conflicts(overviews, clock.places);
  if (without_base > 0) {
    clock.reason = fmt::format("{} of {} files lack baseTimeNanoseconds", without_base, overviews.size());
    return clock;
  }
  clock.is_aligned = true;
  for (std::size_t i = 0; i < overviews.size(); ++i) {
    ClockPlace& place = clock.places[i];
    place.offset_ns = difference_of(*place.base_time_ns, earliest_ns);
    place.first_gpu_event_ns = sum_of(place.base_time_ns, overviews[i]->first_gpu_event_ns);
  }
  return clock;
}
}  // namespace kinetoscope::analysis
