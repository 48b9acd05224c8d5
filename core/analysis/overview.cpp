#include "core/analysis/overview.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "core/names/rank_labels.hpp"
#include "core/tree/processes.hpp"
#include "core/analysis/gpu_population.hpp"

namespace kinetoscope::analysis {
namespace {

/// What distinct names of host events tell, each looked at once.
struct NameEvidence {
  std::array<std::uint64_t, names::frameworks.size()> frameworks{};
  std::array<std::uint64_t, names::gpu_flavours.size()> flavours{};
};

NameEvidence read_names(const Trace& trace) {
  NameEvidence evidence;
  std::vector<bool> is_seen(trace.names_count(), false);
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const auto event = id_at<EventId>(i);
    const Role role = trace.role(event);
    const NameId name = trace.name(event);
    if ((!is_host_call(role) && role != Role::host_annotation) || name == no_name || is_seen[index_of(name)]) continue;
    is_seen[index_of(name)] = true;
    if (role == Role::runtime_call) {
      ++evidence.flavours[static_cast<std::size_t>(names::flavour_of_call(trace.text(name)))];
    } else if (const auto framework = names::framework_of(trace.text(name))) {
      ++evidence.frameworks[static_cast<std::size_t>(*framework)];
    }
  }
  return evidence;
}

std::vector<FrameworkEvidence> strongest_first(const NameEvidence& evidence) {
  std::vector<FrameworkEvidence> out;
  for (std::size_t i = 0; i < evidence.frameworks.size(); ++i) {
    if (evidence.frameworks[i] > 0) out.push_back({names::frameworks[i].value, evidence.frameworks[i]});
  }
  std::ranges::stable_sort(out, std::greater(), &FrameworkEvidence::distinct_names);
  return out;
}

/// By the calls; where there are none, by the versions written; else by the devices' names.
names::GpuFlavour flavour_of(const TraceMetadata& metadata, const NameEvidence& evidence) {
  using names::GpuFlavour;
  const std::span<const std::uint64_t> known = std::span(evidence.flavours).subspan(1);  // 0 is unknown
  const auto most = std::ranges::max_element(known);
  if (*most > 0) return static_cast<GpuFlavour>(most - known.begin() + 1);
  for (const MetadataEntry& version : metadata.versions) {
    const GpuFlavour flavour = names::flavour_of_version_key(version.key);
    if (flavour != GpuFlavour::unknown) return flavour;
  }
  for (const DeviceProperties& device : metadata.devices) {
    const GpuFlavour flavour = names::flavour_of_device(device.name);
    if (flavour != GpuFlavour::unknown) return flavour;
  }
  return GpuFlavour::unknown;
}

/// Text of a JSON string or number.
std::string plain(std::string_view json) {
  const bool is_quoted = json.size() >= 2 && json.front() == '"' && json.back() == '"';
  return std::string(is_quoted ? json.substr(1, json.size() - 2) : json);
}

void read_metadata(const TraceMetadata& metadata, Overview& out) {
  out.versions = metadata.versions;
  for (const MetadataEntry& version : metadata.versions) {
    const std::string_view profiler = names::profiler_of_version_key(version.key);
    if (!profiler.empty() && out.profiler.empty()) out.profiler = profiler;
    if (names::is_torch_version_key(version.key)) out.torch_version = plain(version.json);
  }
  out.base_time_ns = metadata.base_time_ns;
  out.host_name = metadata.host_name;
  for (const MetadataEntry& entry : metadata.entries) {
    if (entry.key.starts_with("PT_PROFILER_JOB")) out.job_names.push_back(plain(entry.json));
    if (entry.key == "traceName") out.own_paths.push_back(plain(entry.json));
  }
}

RankOverview ranks_of(const CallTree& tree) {
  const Trace& trace = tree.trace();
  RankOverview out;
  if (const auto& distributed = trace.metadata().distributed) {
    out.rank = distributed->rank;
    out.world_size = distributed->world_size;
  }
  std::set<std::string> labels;
  std::set<NameId> process_names;
  for (const Track& track : trace.tracks()) {
    if (track.process_name == no_name || !process_names.insert(track.process_name).second) continue;
    if (auto label = names::rank_label(trace.text(track.process_name))) labels.insert(std::move(*label));
  }
  out.labels.assign(labels.begin(), labels.end());
  const Processes processes(trace);
  std::vector<bool> launches(processes.size(), false);
  for (const EventId event : trace.gpu_events()) {
    const EventId launch = tree.link(event).launch;
    if (launch != no_event) launches[processes.of(launch)] = true;
  }
  out.launching_processes = static_cast<std::uint64_t>(std::ranges::count(launches, true));
  return out;
}

std::vector<StreamOverview> streams_of(const Trace& trace) {
  std::vector<std::vector<Interval>> runs(trace.streams().size());
  for (const EventId event : trace.gpu_events()) {
    const std::optional<Interval> extent = trace.extent(event);
    if (extent && trace.stream(event) != no_stream) runs[index_of(trace.stream(event))].push_back(*extent);
  }
  std::vector<StreamOverview> out;
  out.reserve(runs.size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Stream& stream = trace.streams()[i];
    out.push_back({stream.device, stream.stream, stream.gpu_events, IntervalSet(std::move(runs[i])).total_ns()});
  }
  return out;
}

std::vector<DeviceOverview> devices_of(const Trace& trace) {
  std::map<std::int64_t, DeviceOverview> devices;
  for (const DeviceProperties& properties : trace.metadata().devices) {
    devices.emplace(properties.id, DeviceOverview{properties, true, 0, 0});
  }
  std::map<std::int64_t, std::vector<Interval>> runs;
  for (const EventId event : trace.gpu_events()) {
    if (trace.stream(event) == no_stream) continue;
    const std::int64_t id = trace.streams()[index_of(trace.stream(event))].device;
    DeviceOverview& device = devices[id];
    device.properties.id = id;
    ++device.gpu_events;
    if (const std::optional<Interval> extent = trace.extent(event)) runs[id].push_back(*extent);
  }
  std::vector<DeviceOverview> out;
  for (auto& [id, device] : devices) {
    device.busy_ns = IntervalSet(std::move(runs[id])).total_ns();
    out.push_back(std::move(device));
  }
  return out;
}

bool has_modules(const CallTree& tree) {
  if (!tree.trace().is_absent(Argument::module_fqn)) return true;
  for (std::size_t i = 0; i < tree.size(); ++i) {
    if (tree.is_module(id_at<NodeId>(i))) return true;
  }
  return false;
}

std::vector<RecordedFact> recorded_in(const CallTree& tree) {
  const Trace& trace = tree.trace();
  const TraceMetadata& header = trace.metadata();
  const auto bears = [&](Argument argument) { return !trace.is_absent(argument); };
  return {
      {"shapes", bears(Argument::input_dims), header.record_shapes},
      {"concrete_inputs", bears(Argument::concrete_inputs), header.record_shapes},
      {"stacks", trace.count(Role::python_call) > 0, header.with_stack},
      {"modules", has_modules(tree), header.with_modules},
      {"flops", bears(Argument::flops), header.with_flops},
      {"memory", trace.count(Role::memory) > 0, header.profile_memory},
      {"correlation", bears(Argument::correlation), {}},
      {"launch_arrows", trace.count(Role::launch_arrow) > 0, {}},
      {"backward_arrows", trace.count(Role::backward_arrow) > 0, {}},
      {"inline_graph_annotations", bears(Argument::module_fqn), header.graphs_annotated_inline},
  };
}

std::vector<StepOverview> steps_of(const Trace& trace, const Steps& steps) {
  std::vector<StepOverview> out;
  out.reserve(steps.steps().size());
  for (std::size_t i = 0; i < steps.steps().size(); ++i) {
    const Step& step = steps.steps()[i];
    std::vector<Interval> runs;
    for (const EventId event : step.gpu_events) {
      if (const std::optional<Interval> extent = trace.extent(event)) runs.push_back(*extent);
    }
    out.push_back({id_at<StepId>(i), std::string(trace.name_text(step.annotation)), step.label, step.begin_ns,
                   step.end_ns, step.gpu_events.size(), IntervalSet(std::move(runs)).total_ns(),
                   step.annotated_gpu_time_ns, step.may_be_cut});
  }
  return out;
}

std::optional<std::int64_t> first_start_ns(const Trace& trace) {
  std::optional<std::int64_t> first;
  for (const EventId event : trace.gpu_events()) {
    const std::optional<Interval> extent = trace.extent(event);
    if (extent && (!first || extent->begin_ns < *first)) first = extent->begin_ns;
  }
  return first;
}
}  // namespace

std::vector<EventId> linked_population(const CallTree& tree) {
  const std::span<const EventId> all = tree.trace().gpu_events();
  if (!tree.has_launches()) return {all.begin(), all.end()};
  std::vector<EventId> out;
  out.reserve(all.size());
  std::ranges::copy_if(all, std::back_inserter(out), [&](EventId e) { return tree.link(e).launch != no_event; });
  return out;
}

Unlinked unlinked_of(const CallTree& tree) { return unlinked_of(tree, tree.trace().gpu_events()); }

Unlinked unlinked_of(const CallTree& tree, std::span<const EventId> gpu_events) {
  Unlinked out;
  std::map<UnlinkedCause, UnlinkedShare> causes;
  WideSum total_ns = 0;
  for (const EventId event : gpu_events) {
    const std::int64_t time_ns = timed_ns(tree.trace(), event);
    total_ns += time_ns;
    const GpuLink link = tree.link(event);
    if (!tree.has_launches() || link.launch != no_event) continue;
    UnlinkedShare& share = causes[link.cause];
    share.cause = link.cause;
    ++share.events;
    share.time_ns += time_ns;
  }
  for (const auto& [cause, share] : causes) {
    out.events += share.events;
    out.time_ns += share.time_ns;
    out.causes.push_back(share);
  }
  if (total_ns > 0) out.share = static_cast<double>(out.time_ns) / static_cast<double>(total_ns);
  return out;
}

Overview overview_of(const CallTree& tree, const Steps& steps) {
  const Trace& trace = tree.trace();
  const NameEvidence evidence = read_names(trace);
  Overview out;
  out.kind = kind_of_trace(tree);
  out.flavour = flavour_of(trace.metadata(), evidence);
  out.frameworks = strongest_first(evidence);
  read_metadata(trace.metadata(), out);
  out.ranks = ranks_of(tree);
  out.devices = devices_of(trace);
  out.streams = streams_of(trace);
  out.recorded = recorded_in(tree);
  out.events = trace.size();
  for (std::size_t i = 0; i < role_count; ++i) out.counts[i] = trace.count(static_cast<Role>(i));
  out.unlinked = unlinked_of(tree);
  out.launches = tree.launches();
  out.steps = steps_of(trace, steps);
  for (const NameId name : steps.unmatched()) out.unmatched_steps.emplace_back(trace.text(name));
  out.partial = trace.partial();
  out.first_gpu_event_ns = first_start_ns(trace);
  return out;
}
}  // namespace kinetoscope::analysis
