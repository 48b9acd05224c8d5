#include "core/tree/step_projections.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "core/tree/innermost_ranges.hpp"

namespace kinetoscope {
namespace {

struct Projection {
  EventId annotation = no_event;
  StepId step = no_step;
};

/// Steps by what their annotations are called.
class StepNames {
 public:
  StepNames(const Trace& trace, std::span<const Step> steps) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const EventId annotation = steps[i].annotation;
      const NameId name = trace.name(annotation);
      by_name_[name].push_back(id_at<StepId>(i));
      const std::optional<std::int64_t> id = trace.integer(annotation, Argument::external_id);
      if (!id) continue;
      const auto [entry, is_new] = by_id_.emplace(std::pair(name, *id), id_at<StepId>(i));
      if (!is_new) entry->second = no_step;  // merged ranks: which of them cannot be told
    }
  }
  [[nodiscard]] bool has(NameId name) const { return by_name_.contains(name); }
  [[nodiscard]] StepId by_id(NameId name, std::int64_t id) const {
    const auto found = by_id_.find({name, id});
    return found == by_id_.end() ? no_step : found->second;
  }
  [[nodiscard]] std::span<const StepId> by_name(NameId name) const { return by_name_.at(name); }

 private:
  std::map<NameId, std::vector<StepId>> by_name_;
  std::map<std::pair<NameId, std::int64_t>, StepId> by_id_;
};

std::vector<EventId> events_of_role(const Trace& trace, Role role) {
  std::vector<EventId> out;
  out.reserve(trace.count(role));
  for (std::size_t i = 0; i < trace.size() && out.size() < trace.count(role); ++i) {
    if (trace.role(id_at<EventId>(i)) == role) out.push_back(id_at<EventId>(i));
  }
  return out;
}

std::vector<Projection> find_projections(const Trace& trace, std::span<const Step> steps) {
  const StepNames step_names(trace, steps);
  std::vector<Projection> out;
  std::map<std::pair<TrackId, NameId>, std::vector<EventId>> without_id;
  for (const EventId event : events_of_role(trace, Role::device_annotation)) {
    const NameId name = trace.name(event);
    if (!trace.extent(event) || !step_names.has(name)) continue;
    const std::optional<std::int64_t> id = trace.integer(event, Argument::external_id);
    const StepId step = id ? step_names.by_id(name, *id) : no_step;
    if (step != no_step) {
      out.push_back({event, step});
    } else {
      without_id[{trace.track(event), name}].push_back(event);
    }
  }
  for (auto& [place, events] : without_id) {
    const std::span<const StepId> candidates = step_names.by_name(place.second);
    if (events.size() != candidates.size()) continue;
    std::ranges::stable_sort(events, {}, [&](EventId event) { return trace.begin_ns(event); });
    for (std::size_t i = 0; i < events.size(); ++i) out.push_back({events[i], candidates[i]});
  }
  return out;
}

/// The step in whose projection each GPU event starts, no_step for one without times.
std::vector<StepId> covering_steps(const Trace& trace, std::span<const Projection> projections) {
  std::vector<std::vector<InnermostRanges::Range>> ranges(trace.tracks().size());
  for (const Projection& projection : projections) {
    const std::optional<Interval> extent = trace.extent(projection.annotation);
    if (!extent) continue;
    ranges[index_of(trace.track(projection.annotation))].push_back({extent->begin_ns, extent->end_ns, projection.step});
  }
  std::vector<InnermostRanges> innermost;
  innermost.reserve(ranges.size());
  for (auto& of_track : ranges) innermost.emplace_back(std::move(of_track));
  std::vector<StepId> out;
  out.reserve(trace.gpu_events().size());
  for (const EventId event : trace.gpu_events()) {
    const std::optional<Interval> extent = trace.extent(event);
    out.push_back(extent ? innermost[index_of(trace.track(event))].at(extent->begin_ns) : no_step);
  }
  return out;
}
}  // namespace

std::uint64_t compare_with_projections(const Trace& trace, std::span<const StepId> step_of, std::vector<Step>& steps) {
  const std::vector<Projection> projections = find_projections(trace, steps);
  if (projections.empty()) return 0;
  const std::vector<StepId> covering = covering_steps(trace, projections);
  std::vector<bool> has_projection(steps.size(), false);
  for (const Projection& projection : projections) has_projection[index_of(projection.step)] = true;
  std::vector<std::vector<Interval>> covered(steps.size());
  std::vector<bool> differs(steps.size(), false);
  const std::span<const EventId> gpu_events = trace.gpu_events();
  for (std::size_t i = 0; i < gpu_events.size(); ++i) {
    const std::optional<Interval> extent = trace.extent(gpu_events[i]);
    if (!extent) continue;
    if (covering[i] != no_step) covered[index_of(covering[i])].push_back(*extent);
    if (covering[i] == step_of[i]) continue;
    if (covering[i] != no_step) differs[index_of(covering[i])] = true;
    if (step_of[i] != no_step && has_projection[index_of(step_of[i])]) differs[index_of(step_of[i])] = true;
  }
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (has_projection[i]) steps[i].annotated_gpu_time_ns = IntervalSet(std::move(covered[i])).total_ns();
  }
  return static_cast<std::uint64_t>(std::ranges::count(differs, true));
}

DeviceSteps merge_device_steps(const Trace& trace, std::span<const EventId> annotations) {
  std::vector<EventId> by_start(annotations.begin(), annotations.end());
  std::ranges::stable_sort(by_start, {}, [&](EventId event) { return trace.begin_ns(event); });
  DeviceSteps out;
  std::map<std::tuple<NameId, bool, std::int64_t>, std::size_t> places;
  std::map<std::pair<TrackId, NameId>, std::int64_t> seen;  // how many of a name without id a stream has had
  for (const EventId event : by_start) {
    const NameId name = trace.name(event);
    const std::optional<std::int64_t> id = trace.integer(event, Argument::external_id);
    const std::int64_t number = id ? *id : seen[{trace.track(event), name}]++;
    const auto [entry, is_new] = places.emplace(std::tuple(name, id.has_value(), number), out.spans.size());
    const std::int64_t end_ns = trace.begin_ns(event) + std::max<std::int64_t>(trace.duration_ns(event), 0);
    if (is_new) out.spans.push_back({event, end_ns});
    AnnotatedSpan& span = out.spans[entry->second];
    span.end_ns = std::max(span.end_ns, end_ns);
    out.members.emplace_back(event, entry->second);
  }
  return out;
}

std::vector<StepId> steps_by_projection(const Trace& trace, const DeviceSteps& device, std::span<const Step> steps) {
  std::map<EventId, StepId> by_annotation;
  for (std::size_t i = 0; i < steps.size(); ++i) by_annotation.emplace(steps[i].annotation, id_at<StepId>(i));
  std::vector<Projection> projections;
  projections.reserve(device.members.size());
  for (const auto& [annotation, place] : device.members) {
    projections.push_back({annotation, by_annotation.at(device.spans[place].annotation)});
  }
  return covering_steps(trace, projections);
}
}  // namespace kinetoscope
