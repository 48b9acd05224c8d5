#include "core/tree/steps.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "core/tree/diagnostics.hpp"
#include "core/tree/innermost_ranges.hpp"
#include "core/tree/processes.hpp"
#include "core/tree/step_labels.hpp"
#include "core/tree/step_projections.hpp"

namespace kinetoscope {
namespace {

/// A step at either end of the recording that has less than this share of the others' median length may be cut.
constexpr double whole_step_share = 0.5;
/// The recording's own bounds are written with rounding.
constexpr std::int64_t window_tolerance_ns = 1000;
/// The category of the span from the start of the recording to its end.
constexpr std::string_view record_window_category = "Trace";

struct Found {
  std::vector<EventId> annotations;
  std::vector<NameId> unmatched;
  std::uint64_t unmatched_events = 0;
};

/// The annotations of `role` that are steps of the best tier, in file order.
Found find_annotations(const Trace& trace, Role role, StepLabels& labels) {
  Found found;
  auto best = names::StepTier::profiler;
  std::vector<bool> is_listed(trace.names_count(), false);
  for (std::size_t i = 0; i < trace.size() && trace.count(role) > 0; ++i) {
    const EventId event = id_at<EventId>(i);
    const NameId name = trace.name(event);
    if (trace.role(event) != role || name == no_name || trace.begin_ns(event) == unknown_time_ns) continue;
    if (const names::StepAnnotation* const label = labels.of(name)) {
      if (label->tier < best) found.annotations.clear();
      best = std::min(best, label->tier);
      if (label->tier == best) found.annotations.push_back(event);
    } else if (is_listed[index_of(name)]) {
      ++found.unmatched_events;
    } else if (names::looks_like_step(trace.text(name))) {
      is_listed[index_of(name)] = true;
      found.unmatched.push_back(name);
      ++found.unmatched_events;
    }
  }
  return found;
}

/// From the start of the recording to its end, where the profiler says so.
std::optional<Interval> record_window(const Trace& trace) {
  std::optional<Interval> window;
  for (std::size_t i = 0; i < trace.size() && trace.count(Role::bookkeeping) > 0; ++i) {
    const EventId event = id_at<EventId>(i);
    if (trace.role(event) != Role::bookkeeping || trace.phase(event) != Phase::complete) continue;
    const std::optional<Interval> extent = trace.extent(event);
    if (!extent || extent->begin_ns == extent->end_ns || trace.category(event) != record_window_category) continue;
    window = window ? Interval{std::min(window->begin_ns, extent->begin_ns), std::max(window->end_ns, extent->end_ns)}
                    : *extent;
  }
  return window;
}

/// A step whose end the profiler never saw lasts until the next one of its process, or as long as its process called.
void end_unfinished(const Trace& trace, const Processes& processes, std::vector<Step>& steps) {
  const auto is_unfinished = [&](const Step& step) { return trace.duration_ns(step.annotation) < 0; };
  if (std::ranges::none_of(steps, is_unfinished)) return;
  std::vector<std::int64_t> end_of_process(processes.size(), unknown_time_ns);
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const EventId event = id_at<EventId>(i);
    if (!is_host_call(trace.role(event)) || trace.begin_ns(event) == unknown_time_ns) continue;
    std::int64_t& end_ns = end_of_process[processes.of(event)];
    end_ns = std::max(end_ns, trace.begin_ns(event) + std::max<std::int64_t>(trace.duration_ns(event), 0));
  }
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    std::int64_t& end_ns = end_of_process[processes.of(step->annotation)];
    if (is_unfinished(*step)) step->end_ns = std::max(step->begin_ns, end_ns);
    end_ns = step->begin_ns;
  }
}

/// The first and the last step of a kind are compared with the median of its others.
void mark_short_ends(std::vector<Step>& steps, const Processes& processes) {
  std::map<std::tuple<std::size_t, names::StepKind, names::StepPhase>, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    groups[{processes.of(steps[i].annotation), steps[i].label.kind, steps[i].label.phase}].push_back(i);
  }
  for (const auto& [key, members] : groups) {
    for (const std::size_t end : {members.front(), members.back()}) {
      std::vector<std::int64_t> others;
      for (const std::size_t member : members) {
        if (member != end) others.push_back(steps[member].end_ns - steps[member].begin_ns);
      }
      if (others.size() < 2) continue;
      const auto median = others.begin() + static_cast<std::ptrdiff_t>(others.size() / 2);
      std::nth_element(others.begin(), median, others.end());
      const auto length_ns = static_cast<double>(steps[end].end_ns - steps[end].begin_ns);
      if (length_ns < whole_step_share * static_cast<double>(*median)) steps[end].may_be_cut = true;
    }
  }
}

void mark_cut_steps(const Trace& trace, const Processes& processes, std::vector<Step>& steps) {
  const std::optional<Interval> window = record_window(trace);
  for (Step& step : steps) {
    const bool is_unfinished =
        trace.duration_ns(step.annotation) < 0 || trace.integer(step.annotation, Argument::finished) == 0;
    const bool is_outside = window && (step.begin_ns < window->begin_ns - window_tolerance_ns ||
                                       step.end_ns > window->end_ns + window_tolerance_ns);
    if (is_unfinished || is_outside) step.may_be_cut = true;
  }
  mark_short_ends(steps, processes);
}

std::vector<AnnotatedSpan> host_spans(const Trace& trace, const std::vector<EventId>& annotations) {
  std::vector<AnnotatedSpan> spans;
  spans.reserve(annotations.size());
  for (const EventId event : annotations) {
    spans.push_back({event, trace.begin_ns(event) + std::max<std::int64_t>(trace.duration_ns(event), 0)});
  }
  return spans;
}

std::vector<Step> make_steps(const Trace& trace, const Processes& processes, std::span<const AnnotatedSpan> spans,
                             StepLabels& labels) {
  std::vector<Step> steps;
  steps.reserve(spans.size());
  for (const AnnotatedSpan& span : spans) {
    Step step;
    step.annotation = span.annotation;
    step.label = *labels.of(trace.name(span.annotation));
    step.begin_ns = trace.begin_ns(span.annotation);
    step.end_ns = span.end_ns;
    steps.push_back(std::move(step));
  }
  std::ranges::stable_sort(steps, {}, &Step::begin_ns);
  end_unfinished(trace, processes, steps);
  mark_cut_steps(trace, processes, steps);
  return steps;
}

std::vector<InnermostRanges> ranges_by_process(const std::vector<Step>& steps, const Processes& processes) {
  std::vector<std::vector<InnermostRanges::Range>> ranges(processes.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    ranges[processes.of(steps[i].annotation)].push_back({steps[i].begin_ns, steps[i].end_ns, id_at<StepId>(i)});
  }
  std::vector<InnermostRanges> out;
  out.reserve(ranges.size());
  for (auto& of_process : ranges) out.emplace_back(std::move(of_process));
  return out;
}

/// The step of each GPU event by the call that launched it; in the order of Trace::gpu_events().
std::vector<StepId> steps_by_launch(const CallTree& tree, const Processes& processes, const std::vector<Step>& steps) {
  const Trace& trace = tree.trace();
  const std::vector<InnermostRanges> ranges = ranges_by_process(steps, processes);
  std::vector<StepId> out;
  out.reserve(trace.gpu_events().size());
  for (const EventId event : trace.gpu_events()) {
    const EventId launch = tree.link(event).launch;
    const bool has_place = launch != no_event && trace.begin_ns(launch) != unknown_time_ns;
    out.push_back(has_place ? ranges[processes.of(launch)].at(trace.begin_ns(launch)) : no_step);
  }
  return out;
}
}  // namespace

Steps Steps::find(const CallTree& tree) {
  const Trace& trace = tree.trace();
  const Processes processes(trace);
  StepLabels labels(trace);
  Steps out;
  Found found = find_annotations(trace, Role::host_annotation, labels);
  out.unmatched_ = std::move(found.unmatched);
  out.diagnostics_.add(tree_diagnostics::step_annotation_unmatched, {}, found.unmatched_events);
  std::vector<StepId> step_of;
  if (!found.annotations.empty()) {
    out.steps_ = make_steps(trace, processes, host_spans(trace, found.annotations), labels);
    step_of = steps_by_launch(tree, processes, out.steps_);
    const std::uint64_t mismatches = compare_with_projections(trace, step_of, out.steps_);
    out.diagnostics_.add(tree_diagnostics::step_annotation_mismatch, {}, mismatches);
  } else {
    found = find_annotations(trace, Role::device_annotation, labels);
    const DeviceSteps device = merge_device_steps(trace, found.annotations);
    out.steps_ = make_steps(trace, processes, device.spans, labels);
    step_of = steps_by_projection(trace, device, out.steps_);
  }
  const std::span<const EventId> gpu_events = trace.gpu_events();
  for (std::size_t i = 0; i < gpu_events.size(); ++i) {
    if (step_of[i] == no_step) continue;
    out.step_of_event_.set(gpu_events[i], step_of[i]);
    out.steps_[index_of(step_of[i])].gpu_events.push_back(gpu_events[i]);
  }
  return out;
}

StepId Steps::step_of(EventId gpu_event) const noexcept {
  const StepId* const found = step_of_event_.find(gpu_event);
  return found == nullptr ? no_step : *found;
}
}  // namespace kinetoscope
