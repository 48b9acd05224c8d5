#include "core/analysis/event_figures.hpp"

#include <algorithm>

namespace kinetoscope::analysis {
namespace {

/// Of at least one value.
std::int64_t percentile(std::span<std::int64_t> values, std::size_t percent) {
  const std::size_t rank = (values.size() * percent + 99) / 100;  // rounded up, from 1
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(rank - 1);
  std::ranges::nth_element(values, at);
  return *at;
}
}  // namespace

void measure_durations(std::span<std::int64_t> durations_ns, EventFigures& figures) {
  if (durations_ns.empty()) return;
  figures.mean_ns = static_cast<double>(figures.sum_ns) / static_cast<double>(durations_ns.size());
  const auto [least, most] = std::ranges::minmax_element(durations_ns);
  figures.min_ns = *least;
  figures.max_ns = *most;
  figures.p50_ns = percentile(durations_ns, 50);
  figures.p95_ns = percentile(durations_ns, 95);
  figures.p99_ns = percentile(durations_ns, 99);
}
}  // namespace kinetoscope::analysis
