#include "core/analysis/device_runs.hpp"

#include <algorithm>
#include <utility>

namespace kinetoscope::analysis {
namespace {

/// The number of each stream's device; devices rise with streams.
std::vector<std::uint32_t> devices_of_streams(std::span<const Stream> streams) {
  std::vector<std::uint32_t> devices;
  devices.reserve(streams.size());
  for (std::size_t i = 0; i < streams.size(); ++i) {
    const bool is_another = i > 0 && streams[i].device != streams[i - 1].device;
    devices.push_back(i == 0 ? 0 : devices.back() + (is_another ? 1 : 0));
  }
  return devices;
}

using RunKey = std::pair<StepId, std::uint32_t>;
RunKey run_key(const DeviceRun& run) { return {run.step, run.device}; }
}  // namespace

std::vector<DeviceRun> device_runs(const TableInput& input, std::span<const StepId> step_of) {
  const Trace& trace = input.trace();
  const std::vector<std::uint32_t> devices = devices_of_streams(trace.streams());
  std::vector<std::pair<RunKey, EventId>> timed;
  timed.reserve(input.events().size());
  for (const EventId event : input.events()) {
    if (!trace.extent(event)) continue;
    const std::uint32_t device = devices[index_of(trace.stream(event))];
    timed.push_back({{step_of.empty() ? no_step : step_of[index_of(event)], device}, event});
  }
  const auto has_lower_key = [](const auto& left, const auto& right) { return left.first < right.first; };
  if (!std::is_sorted(timed.begin(), timed.end(), has_lower_key)) {
    std::stable_sort(timed.begin(), timed.end(), has_lower_key);
  }
  std::vector<DeviceRun> runs;
  for (const auto& [key, event] : timed) {
    const Interval extent = *trace.extent(event);
    if (runs.empty() || run_key(runs.back()) != key) runs.push_back({key.first, key.second, {}, extent});
    DeviceRun& run = runs.back();
    run.events.push_back(event);
    run.extent.begin_ns = std::min(run.extent.begin_ns, extent.begin_ns);
    run.extent.end_ns = std::max(run.extent.end_ns, extent.end_ns);
  }
  return runs;
}

std::int64_t step_time_ns(const DeviceRun& run, std::span<const DeviceRun> runs) {
  std::int64_t end_ns = run.extent.end_ns;
  if (run.step != no_step) {
    const RunKey next = {id_at<StepId>(index_of(run.step) + 1), run.device};
    const auto found = std::ranges::lower_bound(runs, next, {}, run_key);
    if (found != runs.end() && next.first != no_step && run_key(*found) == next) {
      end_ns = std::max(end_ns, found->extent.begin_ns);
    }
  }
  return end_ns - run.extent.begin_ns;
}
}  // namespace kinetoscope::analysis
