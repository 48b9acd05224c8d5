#include "core/analysis/fitness_facts.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/analysis/suspect_durations.hpp"

namespace kinetoscope::analysis {
namespace {

/// ROCm 7.2.0 and 7.2.1 lose kernels under hipGraphLaunch; 7.2.2 does not, but wheels and images of later 7.2 releases
/// bundle the old libraries, so all of 7.2 is suspect (ROCm/legacy-rocm-build#6102, sgl-project/sglang#35390).
constexpr std::int64_t faulty_hip_major = 7;
constexpr std::int64_t faulty_hip_minor = 2;
/// HIP_VERSION: major · 10,000,000 + minor · 100,000 + patch.
constexpr std::int64_t hip_major_unit = 10'000'000;
constexpr std::int64_t hip_minor_unit = 100'000;

/// c10::DeviceType of the host; all others are devices.
constexpr std::int64_t host_device_type = 0;

std::string find_faulty_hip(const TraceMetadata& metadata) {
  for (const MetadataEntry& version : metadata.versions) {
    if (version.key != "hip_runtime_version") continue;
    std::int64_t number = 0;
    const std::size_t quote = version.json.starts_with('"') ? 1 : 0;
    std::from_chars(version.json.data() + quote, version.json.data() + version.json.size(), number);
    const std::int64_t major = number / hip_major_unit;
    const std::int64_t minor = number % hip_major_unit / hip_minor_unit;
    if (major == faulty_hip_major && minor == faulty_hip_minor) return fmt::format("{}.{}", major, minor);
  }
  return {};
}

void count_memory_events(const Trace& trace, FitnessFacts& facts) {
  if (trace.count(Role::memory) == 0) return;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const auto event = id_at<EventId>(i);
    if (trace.role(event) != Role::memory) continue;
    const bool is_on_host = trace.integer(event, Argument::device_type) == host_device_type;
    ++(is_on_host ? facts.host_memory_events : facts.device_memory_events);
  }
}

std::uint64_t count_devices(const Trace& trace) {
  std::uint64_t devices = 0;
  const Stream* last = nullptr;
  for (const Stream& stream : trace.streams()) {  // sorted by device
    if (last == nullptr || last->device != stream.device) ++devices;
    last = &stream;
  }
  return devices;
}

std::uint64_t count_launching_processes(const Trace& trace) {
  std::vector<bool> is_used(trace.tracks().size(), false);
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const auto event = id_at<EventId>(i);
    if (trace.role(event) == Role::runtime_call) is_used[index_of(trace.track(event))] = true;
  }
  std::vector<std::pair<std::int64_t, std::uint32_t>> processes;
  for (std::size_t i = 0; i < is_used.size(); ++i) {
    const TrackPart& pid = trace.tracks()[i].pid;
    if (is_used[i]) processes.emplace_back(pid.number, static_cast<std::uint32_t>(pid.text));
  }
  std::ranges::sort(processes);
  return static_cast<std::uint64_t>(std::unique(processes.begin(), processes.end()) - processes.begin());
}

void measure_suspects(const CallTree& tree, std::span<const SuspectDuration> suspects, FitnessFacts& facts) {
  facts.suspect_events = suspects.size();
  double time_ns = 0;
  for (const SuspectDuration& suspect : suspects) {
    time_ns += static_cast<double>(std::max<std::int64_t>(tree.trace().duration_ns(suspect.event), 0));
  }
  if (facts.all.kernel_sum_ns > 0) facts.suspect_share = time_ns / static_cast<double>(facts.all.kernel_sum_ns);
}
}  // namespace

double lost_share(const LostLaunches& lost) noexcept {
  return lost.launches == 0 ? 0 : static_cast<double>(lost.lost) / static_cast<double>(lost.launches);
}

FitnessFacts gather_fitness_facts(const CallTree& tree, const Steps& steps, const GpuBuckets& buckets) {
  const Trace& trace = tree.trace();
  FitnessFacts facts{.tree = tree, .trace = trace, .steps = steps};
  const std::vector<SuspectDuration> suspects = find_suspect_durations(tree);
  facts.kind = kind_of_trace(tree);
  facts.all = measure_population(trace, buckets, trace.gpu_events());
  facts.linked = measure_population(trace, buckets, tree.linked_gpu_events());
  facts.coverage = measure_coverage(tree, buckets);
  facts.lost = find_lost_launches(tree, facts.all);
  facts.dominating = find_dominating_event(trace, facts.all, suspects);
  facts.strays = find_early_strays(trace, facts.all);
  facts.windows = find_step_windows(trace, steps, facts.dominating ? facts.dominating->event : no_event);
  measure_suspects(tree, suspects, facts);
  count_memory_events(trace, facts);
  facts.devices = count_devices(trace);
  facts.launching_processes = count_launching_processes(trace);
  if (trace.metadata().distributed) facts.world_size = trace.metadata().distributed->world_size;
  facts.faulty_hip = find_faulty_hip(trace.metadata());
  return facts;
}
}  // namespace kinetoscope::analysis
