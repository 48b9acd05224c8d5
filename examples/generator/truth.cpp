#include "examples/generator/truth.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

namespace kinetoscope::examples {
namespace {

/// A moment at which one piece of work begins (+1) or ends (-1).
struct Moment {
  std::int64_t time_ns = 0;
  Work work = Work::computation;
  int change = 0;
};

std::vector<Moment> moments_of(std::span<const GpuSlice> slices) {
  std::vector<Moment> moments;
  for (const GpuSlice& slice : slices) {
    if (!slice.is_timed) continue;
    moments.push_back({slice.start_ns, slice.work, 1});
    moments.push_back({slice.end_ns, slice.work, -1});
  }
  std::sort(moments.begin(), moments.end(),
            [](const Moment& one, const Moment& other) { return one.time_ns < other.time_ns; });
  return moments;
}

/// Adds the time from one moment to the next to each figure whose work is running.
void add_elapsed(GpuFigures& figures, const std::array<int, 3>& running, std::int64_t elapsed_ns) {
  const auto [computation, communication, memcpy] = running;
  if (computation + communication + memcpy > 0) figures.busy_ns += elapsed_ns;
  if (computation > 0) figures.computation_ns += elapsed_ns;
  if (communication > 0) figures.communication_ns += elapsed_ns;
  if (communication > 0 && computation == 0) figures.exposed_communication_ns += elapsed_ns;
  if (memcpy > 0) figures.memcpy_ns += elapsed_ns;
}
}  // namespace

GpuFigures figures_of(std::span<const GpuSlice> slices) {
  GpuFigures figures;
  for (const GpuSlice& slice : slices) {
    ++figures.events;
    if (slice.is_timed) {
      figures.kernel_sum_ns += slice.end_ns - slice.start_ns;
    } else {
      ++figures.untimed;
    }
  }
  const std::vector<Moment> moments = moments_of(slices);
  if (moments.empty()) return figures;
  std::array<int, 3> running = {};
  std::int64_t now_ns = moments.front().time_ns;
  for (const Moment& moment : moments) {
    add_elapsed(figures, running, moment.time_ns - now_ns);
    running[static_cast<std::size_t>(moment.work)] += moment.change;
    now_ns = moment.time_ns;
  }
  figures.span_ns = moments.back().time_ns - moments.front().time_ns;
  figures.idle_ns = figures.span_ns - figures.busy_ns;
  return figures;
}

std::vector<StreamTruth> streams_of(std::span<const GpuSlice> slices) {
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> counts;
  for (const GpuSlice& slice : slices) ++counts[{slice.device, slice.stream}];
  std::vector<StreamTruth> streams;
  streams.reserve(counts.size());
  for (const auto& [key, count] : counts) streams.push_back({key.first, key.second, count});
  return streams;
}
}  // namespace kinetoscope::examples
