#include "core/analysis/event_fields.hpp"

#include <span>
#include <utility>

#include <fmt/format.h>

namespace kinetoscope::analysis {
namespace {

std::string track_part_text(const Trace& trace, const TrackPart& part) {
  return part.is_text() ? std::string(trace.text(part.text)) : std::to_string(part.number);
}

std::vector<std::string> thread_texts(const Trace& trace) {
  std::vector<std::string> out;
  out.reserve(trace.tracks().size());
  for (const Track& track : trace.tracks()) {
    out.push_back(fmt::format("{}/{}", track_part_text(trace, track.pid), track_part_text(trace, track.tid)));
  }
  return out;
}

/// Steps of host annotations count for all threads of their process.
std::vector<InnermostRanges> ranges_of_steps(const Trace& trace, std::span<const Step> steps,
                                             const Processes& processes) {
  std::vector<std::vector<InnermostRanges::Range>> ranges(processes.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (trace.role(steps[i].annotation) != Role::host_annotation) continue;
    ranges[processes.of(steps[i].annotation)].push_back({steps[i].begin_ns, steps[i].end_ns, id_at<StepId>(i)});
  }
  std::vector<InnermostRanges> out;
  out.reserve(ranges.size());
  for (std::vector<InnermostRanges::Range>& of_process : ranges) out.emplace_back(std::move(of_process));
  return out;
}
}  // namespace

EventFields::EventFields(const CallTree& tree, const Steps& steps, const perf_model::OperatorRegistry& registry)
    : tree_(&tree),
      trace_(&tree.trace()),
      steps_(&steps),
      registry_(&registry),
      categories_(tree, registry),
      processes_(tree.trace()),
      steps_of_processes_(ranges_of_steps(tree.trace(), steps.steps(), processes_)),
      threads_(thread_texts(tree.trace())) {}

std::uint32_t EventFields::value(EventField field, EventId event) {
  switch (field) {
    case EventField::name: return static_cast<std::uint32_t>(trace_->name(event));
    case EventField::role: return static_cast<std::uint32_t>(trace_->role(event));
    case EventField::category: return category_of(event);
    case EventField::kernel_kind: {
      const names::KernelTraits* const traits = traits_of(event);
      return traits == nullptr ? no_id : static_cast<std::uint32_t>(traits->kind);
    }
    case EventField::library: {
      const names::KernelTraits* const traits = traits_of(event);
      return traits == nullptr ? no_id : static_cast<std::uint32_t>(traits->library);
    }
    case EventField::device: return device_of(event);
    case EventField::stream: return stream_of(event);
    case EventField::thread: return thread_of(event);
    case EventField::step: return static_cast<std::uint32_t>(step_of(event));
    case EventField::phase: {
      const StepId step = step_of(event);
      return step == no_step ? no_id : static_cast<std::uint32_t>(steps_->steps()[index_of(step)].label.phase);
    }
    case EventField::launching_operator: return static_cast<std::uint32_t>(operator_around(event));
    case EventField::module: return static_cast<std::uint32_t>(module_around(event));
    case EventField::link_method:
      return is_gpu_work(trace_->role(event)) ? static_cast<std::uint32_t>(tree_->link(event).method) : no_id;
  }
  return no_id;
}

NodeId EventFields::call_of(EventId event) const noexcept {
  const Role role = trace_->role(event);
  if (is_gpu_work(role)) return tree_->launch(event);
  return is_host_call(role) ? tree_->node(event) : no_node;
}

/// Work that nobody launched is what its own name says; operators without GPU work are what theirs says.
std::uint32_t EventFields::category_of(EventId event) {
  const Role role = trace_->role(event);
  std::optional<perf_model::CategoryId> category;
  if (is_gpu_work(role)) {
    const NodeId launcher = tree_->launcher(event);
    category = launcher == no_node ? registry_->category_of_kernel(trace_->name_text(event))
                                   : std::optional(categories_.of(launcher, event));
  } else if (role == Role::operator_call && tree_->node(event) != no_node) {
    const std::span<const EventId> launched = tree_->gpu_events(tree_->node(event));
    category = launched.empty() ? registry_->category_of(trace_->name_text(event))
                                : std::optional(categories_.of(tree_->node(event), launched.front()));
  }
  return category ? static_cast<std::uint32_t>(*category) : no_id;
}

const names::KernelTraits* EventFields::traits_of(EventId event) {
  const NameId name = trace_->name(event);
  if (!is_gpu_work(trace_->role(event)) || name == no_name) return nullptr;
  if (traits_.empty()) traits_.resize(trace_->names_count());
  std::optional<names::KernelTraits>& traits = traits_[index_of(name)];
  if (!traits) traits = names::classify_kernel(trace_->text(name));
  return &*traits;
}

std::uint32_t EventFields::device_of(EventId event) {
  const StreamId stream = trace_->stream(event);
  return stream == no_stream ? no_id : devices_.of(trace_->streams()[index_of(stream)].device);
}

std::uint32_t EventFields::stream_of(EventId event) {
  const StreamId stream = trace_->stream(event);
  return stream == no_stream ? no_id : streams_.of(trace_->streams()[index_of(stream)].stream);
}

std::uint32_t EventFields::thread_of(EventId event) const {
  if (!is_gpu_work(trace_->role(event))) return static_cast<std::uint32_t>(trace_->track(event));
  const NodeId launch = tree_->launch(event);
  return launch == no_node ? no_id : static_cast<std::uint32_t>(tree_->track(launch));
}

StepId EventFields::step_of(EventId event) const {
  if (is_gpu_work(trace_->role(event))) return steps_->step_of(event);
  const std::int64_t begin_ns = trace_->begin_ns(event);
  return begin_ns == unknown_time_ns ? no_step : steps_of_processes_[processes_.of(event)].at(begin_ns);
}

NameId EventFields::operator_around(EventId event) const {
  const bool is_on_device = is_gpu_work(trace_->role(event));
  NodeId at = is_on_device ? tree_->launcher(event) : call_of(event);
  if (at != no_node && !is_on_device) at = tree_->host_parent(at);
  while (!is_on_device && at != no_node && tree_->role(at) != Role::operator_call) at = tree_->host_parent(at);
  if (at == no_node || tree_->role(at) != Role::operator_call) return no_name;
  return trace_->name(tree_->event(at));
}

/// Parents stand before their children in the tree, so that one pass finds the module around each call.
NameId EventFields::module_around(EventId event) {
  if (const auto recorded = trace_->text(event, Argument::module_fqn)) return *recorded;
  const NodeId call = call_of(event);
  if (call == no_node) return no_name;
  if (modules_.empty()) {
    modules_.resize(tree_->size(), no_node);
    for (std::size_t i = 0; i < tree_->size(); ++i) {
      const auto node = id_at<NodeId>(i);
      const NodeId parent = tree_->parent(node);
      modules_[i] = tree_->is_module(node) ? node : parent == no_node ? no_node : modules_[index_of(parent)];
    }
  }
  const NodeId module = modules_[index_of(call)];
  return module == no_node ? no_name : trace_->name(tree_->event(module));
}

std::optional<std::int64_t> EventFields::number(EventField field, std::uint32_t value) const {
  if (field == EventField::device) return devices_.value(value);
  if (field == EventField::stream) return streams_.value(value);
  if (field == EventField::step) return std::int64_t{value};
  return {};
}

std::string_view EventFields::view(EventField field, std::uint32_t value) const {
  switch (field) {
    case EventField::name:
    case EventField::launching_operator: return trace_->text(static_cast<NameId>(value));
    case EventField::module: {
      const std::string_view name = trace_->text(static_cast<NameId>(value));
      return name.starts_with(module_prefix) ? name.substr(module_prefix.size()) : name;
    }
    case EventField::role: return kinetoscope::spelling_of(static_cast<Role>(value));
    case EventField::category: return registry_->spelling_of(static_cast<perf_model::CategoryId>(value));
    case EventField::kernel_kind: return names::spelling_of(static_cast<names::KernelKind>(value));
    case EventField::library: return names::spelling_of(static_cast<names::Library>(value));
    case EventField::thread: return threads_[value];
    case EventField::phase: return names::spelling_of(static_cast<names::StepPhase>(value));
    case EventField::link_method: return kinetoscope::spelling_of(static_cast<LinkMethod>(value));
    case EventField::device:
    case EventField::stream:
    case EventField::step: break;  // numbers
  }
  return {};
}

std::optional<std::string> EventFields::text(EventField field, std::uint32_t value) const {
  if (value == no_id) return {};
  const std::optional<std::int64_t> whole = number(field, value);
  return whole ? std::to_string(*whole) : std::string(view(field, value));
}

std::strong_ordering EventFields::compare(EventField field, std::uint32_t one, std::uint32_t other) const {
  if (one == other) return std::strong_ordering::equal;
  if (one == no_id || other == no_id) return one == no_id ? std::strong_ordering::greater : std::strong_ordering::less;
  if (const auto whole = number(field, one)) return *whole <=> *number(field, other);
  return view(field, one) <=> view(field, other);
}
}  // namespace kinetoscope::analysis
