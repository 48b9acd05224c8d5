#pragma once

// What a trace is a recording of: the figures of `info` beside populations and fitness. Everything owns its text.
// Cost: O(n) for n events beside the sort of each stream's work; each distinct name is looked at once.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/wide_sum.hpp"
#include "core/trace/metadata.hpp"
#include "core/names/frameworks.hpp"
#include "core/names/gpu_flavours.hpp"
#include "core/tree/steps.hpp"
#include "core/analysis/trace_kind.hpp"

namespace kinetoscope::analysis {

/// A device that the file describes, or that GPU work ran on.
struct DeviceOverview {
  DeviceProperties properties;  ///< only the id when the file does not describe it
  bool is_described = false;    ///< by the file's deviceProperties
  std::uint64_t gpu_events = 0;
  std::int64_t busy_ns = 0;
  friend bool operator==(const DeviceOverview&, const DeviceOverview&) = default;
};

struct StreamOverview {
  std::int64_t device = 0;
  std::int64_t stream = 0;
  std::uint64_t gpu_events = 0;
  std::int64_t busy_ns = 0;
  friend bool operator==(const StreamOverview&, const StreamOverview&) = default;
};

/// One thing that a profiler may record: whether events bear it, and what the file's header says.
struct RecordedFact {
  std::string name;
  bool is_seen = false;
  std::optional<bool> header;
  friend bool operator==(const RecordedFact&, const RecordedFact&) = default;
};

struct UnlinkedShare {
  UnlinkedCause cause = UnlinkedCause::none;
  std::uint64_t events = 0;
  WideSum time_ns = 0;  ///< durations added up
  friend bool operator==(const UnlinkedShare&, const UnlinkedShare&) = default;
};
/// events and time_ns are the sums over the causes.
struct Unlinked {
  std::uint64_t events = 0;
  WideSum time_ns = 0;
  std::optional<double> share;        ///< of all durations of GPU work; absent when those are 0
  std::vector<UnlinkedShare> causes;  ///< in the order of the enum, those that occur
  friend bool operator==(const Unlinked&, const Unlinked&) = default;
};

struct StepOverview {
  StepId id = no_step;
  std::string name;
  names::StepAnnotation label;
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
  std::uint64_t gpu_events = 0;
  std::int64_t busy_ns = 0;
  std::optional<std::int64_t> annotated_gpu_time_ns;
  bool may_be_cut = false;
};

struct FrameworkEvidence {
  names::Framework framework{};
  std::uint64_t distinct_names = 0;  ///< host events' names that only it writes
  friend bool operator==(const FrameworkEvidence&, const FrameworkEvidence&) = default;
};

struct RankOverview {
  std::optional<std::int64_t> rank;
  std::optional<std::int64_t> world_size;
  std::vector<std::string> labels;        ///< of merged files, from process names, sorted, each once
  std::uint64_t launching_processes = 0;  ///< more than one: several ranks in one file
  friend bool operator==(const RankOverview&, const RankOverview&) = default;
};

struct Overview {
  TraceKind kind = TraceKind::eager;
  names::GpuFlavour flavour = names::GpuFlavour::unknown;
  std::vector<FrameworkEvidence> frameworks;  ///< strongest first
  std::vector<MetadataEntry> versions;
  std::string profiler;       ///< "cupti", "roctracer", "rocprofiler-sdk"; empty when the file does not say
  std::string torch_version;  ///< empty when the file does not say
  RankOverview ranks;
  std::vector<DeviceOverview> devices;  ///< by id
  std::vector<StreamOverview> streams;  ///< by device, then stream
  std::vector<RecordedFact> recorded;
  std::array<std::uint64_t, role_count> counts{};
  std::uint64_t events = 0;
  Unlinked unlinked;
  LaunchCounts launches;
  std::vector<StepOverview> steps;
  std::vector<std::string> unmatched_steps;
  std::optional<PartialRead> partial;
  std::optional<std::int64_t> base_time_ns;
  std::optional<std::int64_t> first_gpu_event_ns;  ///< on the file's own clock
  std::string host_name;
  std::vector<std::string> job_names;  ///< the job and its parts, as the environment named them
  std::vector<std::string> own_paths;  ///< where the profiler wrote the file
};

[[nodiscard]] Overview overview_of(const CallTree& tree, const Steps& steps);

/// GPU work with a launch; all of it in a trace without launches, which has one population (decision 4). In file order.
[[nodiscard]] std::vector<EventId> linked_population(const CallTree& tree);
/// GPU work without a launch, by cause; nothing in a trace without launches.
[[nodiscard]] Unlinked unlinked_of(const CallTree& tree);
/// The same of a part of the GPU work, whose durations the share is of.
[[nodiscard]] Unlinked unlinked_of(const CallTree& tree, std::span<const EventId> gpu_events);
}  // namespace kinetoscope::analysis
