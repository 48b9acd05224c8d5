#include "core/tree/scope_selection.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "core/base/glob.hpp"
#include "core/tree/diagnostics.hpp"
#include "core/tree/processes.hpp"
#include "core/tree/scope_choices.hpp"

namespace kinetoscope {
namespace {

/// Whether a name fits, asked once a distinct name.
template <typename Fits>
class NameMemo {
 public:
  NameMemo(const Trace& trace, Fits fits) : fits_(std::move(fits)), trace_(trace), answers_(trace.names_count()) {}
  [[nodiscard]] bool operator()(NameId name) {
    if (name == no_name) return false;
    Answer& answer = answers_[index_of(name)];
    if (answer == Answer::unasked) answer = fits_(trace_.text(name)) ? Answer::yes : Answer::no;
    return answer == Answer::yes;
  }

 private:
  enum class Answer : std::uint8_t { unasked, yes, no };
  Fits fits_;
  const Trace& trace_;
  std::vector<Answer> answers_;
};

/// Host time by process: an annotation counts for all threads of the process that it stands in.
class ProcessTimes {
 public:
  explicit ProcessTimes(const Trace& trace) : processes_(trace), found_(processes_.size()) {}
  void add(EventId annotation, Interval interval) { found_[processes_.of(annotation)].push_back(interval); }
  /// Behind the last add(), before contains().
  void close() {
    for (auto& intervals : found_) times_.emplace_back(std::move(intervals));
  }
  /// The process of `event` was in one of them at a time.
  [[nodiscard]] bool contains(EventId event, std::int64_t at_ns) const {
    const auto intervals = times_[processes_.of(event)].intervals();
    const auto behind = std::ranges::upper_bound(intervals, at_ns, {}, &Interval::begin_ns);
    return behind != intervals.begin() && at_ns < std::prev(behind)->end_ns;
  }
  [[nodiscard]] IntervalSet all() const {
    std::vector<Interval> every;
    for (const IntervalSet& set : times_) every.insert(every.end(), set.intervals().begin(), set.intervals().end());
    return IntervalSet(std::move(every));
  }

 private:
  Processes processes_;
  std::vector<std::vector<Interval>> found_;
  std::vector<IntervalSet> times_;
};

/// Frames by their class, with or without its number, or their whole name; qualified names as they are.
bool fits_module(std::string_view name, std::string_view pattern) {
  if (matches_glob(name, pattern)) return true;
  if (!name.starts_with(module_prefix)) return false;
  const std::string_view numbered = name.substr(module_prefix.size());
  return matches_glob(numbered, pattern) || matches_glob(module_label_of(numbered), pattern);
}

class Selector {
 public:
  Selector(const CallTree& tree, std::span<const Step> steps)
      : tree_(tree),
        trace_(tree.trace()),
        steps_(steps),
        recorded_(recorded_time(trace_)),
        gpu_(trace_.gpu_events().size(), true),
        nodes_(tree.size(), true),
        host_time_(std::vector<Interval>{recorded_}) {}

  void apply(const ScopeCondition& condition) {
    is_met_ = false;
    std::visit(*this, condition);
    if (!is_met_) {
      throw Error({.code = ErrorCode::scope_matches_nothing,
                   .argument = "scope",
                   .received = text_of(condition),
                   .problem = std::string(problem_),
                   .accepted = choices_for(condition, tree_, steps_)});
    }
    if (is_empty()) fail_empty(condition);
    applied_.conditions.push_back(condition);
  }

  [[nodiscard]] ScopeSelection take() {
    std::vector<EventId> events;
    for (std::size_t i = 0; i < gpu_.size(); ++i) {
      if (gpu_[i]) events.push_back(trace_.gpu_events()[i]);
    }
    return {std::move(events), std::move(nodes_), std::move(host_time_), std::move(diagnostics_)};
  }

  void operator()(const StepRange& range) {
    problem_ = "there is no step at this position";
    std::vector<bool> chosen(steps_.size(), false);
    for (std::uint64_t i = range.first; i <= range.last && i < steps_.size(); ++i) chosen[i] = true;
    if (range.first < steps_.size() && range.last >= steps_.size()) {
      diagnostics_.add(tree_diagnostics::scope_beyond_steps, {}, range.last - steps_.size() + 1);
    }
    keep_steps(chosen, {});
  }

  void operator()(const PhaseOfSteps& wanted) {
    problem_ = "no step is of this phase";
    std::vector<bool> chosen;
    for (const Step& step : steps_) chosen.push_back(step.label.phase == wanted.phase);
    keep_steps(chosen, {});
  }

  void operator()(const AnnotationName& wanted) {
    problem_ = "no annotation has this name";
    NameMemo fits(trace_, [&](std::string_view name) { return matches_glob(name, wanted.pattern); });
    std::vector<bool> chosen;
    std::vector<bool> is_step(trace_.size(), false);
    for (const Step& step : steps_) {
      chosen.push_back(fits(trace_.name(step.annotation)));
      is_step[index_of(step.annotation)] = true;
    }
    std::vector<EventId> others;
    for (std::size_t i = 0; i < trace_.size(); ++i) {
      const auto event = id_at<EventId>(i);
      if (trace_.role(event) == Role::host_annotation && !is_step[i] && fits(trace_.name(event))) {
        others.push_back(event);
      }
    }
    keep_steps(chosen, others);
  }

  void operator()(const ModuleName& wanted) {
    problem_ = "no module has this name";
    NameMemo fits(trace_, [&](std::string_view name) { return fits_module(name, wanted.pattern); });
    std::vector<bool> below(tree_.size(), false);
    std::vector<Interval> calls;
    NodeId covered_to{};
    for (std::size_t i = 0; i < tree_.size(); ++i) {
      const auto node = id_at<NodeId>(i);
      if (tree_.is_module(node) && fits(trace_.name(tree_.event(node)))) {
        calls.push_back(extent_of(node));
        covered_to = std::max(covered_to, tree_.subtree_end(node));
      }
      below[i] = node < covered_to;
    }
    const auto is_named = [&](EventId event) {
      const auto module = trace_.text(event, Argument::module_fqn);
      return module && fits(*module);
    };
    is_met_ = !calls.empty() || std::ranges::any_of(trace_.gpu_events(), is_named);
    keep_nodes([&](NodeId node) { return below[index_of(node)]; });
    keep_gpu_events([&](EventId event) {
      const NodeId launch = tree_.launch(event);
      return is_named(event) || (launch != no_node && below[index_of(launch)]);
    });
    keep_time(IntervalSet(std::move(calls)));
  }

  void operator()(const StreamNumber& wanted) {
    problem_ = "no GPU work ran on this stream";
    keep_streams([&](const Stream& stream) { return stream.stream == wanted.stream; });
  }

  void operator()(const DeviceNumber& wanted) {
    problem_ = "no GPU work ran on this device";
    keep_streams([&](const Stream& stream) { return stream.device == wanted.device; });
  }

  void operator()(const TimeWindow& wanted) {
    problem_ = "the window begins behind the trace's end";
    const Interval window{behind_origin(wanted.since_origin.begin_ns), behind_origin(wanted.since_origin.end_ns)};
    is_met_ = window.begin_ns <= recorded_.end_ns;
    const auto is_in = [&](std::int64_t at_ns) { return at_ns >= window.begin_ns && at_ns < window.end_ns; };
    keep_nodes([&](NodeId node) { return is_in(host_begin_ns(node)); });
    keep_gpu_events([&](EventId event) { return trace_.extent(event) && is_in(trace_.begin_ns(event)); });
    keep_time(IntervalSet({window}));
  }

 private:
  [[nodiscard]] bool is_empty() const {
    if (std::ranges::find(gpu_, true) != gpu_.end()) return false;
    return is_about_gpu_work_ || std::ranges::find(nodes_, true) == nodes_.end();
  }

  /// Something fulfils `condition`, but nothing that fulfils those before it does.
  [[noreturn]] void fail_empty(const ScopeCondition& condition) const {
    Failure failure = {.code = ErrorCode::scope_matches_nothing,
                       .argument = "scope",
                       .received = text_of(condition),
                       .problem = "no host call and no GPU work is in it",
                       .accepted = choices_for(condition, tree_, steps_)};
    if (!applied_.is_whole()) {
      failure.problem = fmt::format("nothing of what {} selects is in it, too", text_of(applied_));
      failure.accepted = "conditions joined by commas must all hold at once";
    }
    throw Error(std::move(failure));
  }

  template <typename Keep>
  void keep_nodes(Keep keep) {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i]) nodes_[i] = keep(id_at<NodeId>(i));
    }
  }
  template <typename Keep>
  void keep_gpu_events(Keep keep) {
    for (std::size_t i = 0; i < gpu_.size(); ++i) {
      if (gpu_[i]) gpu_[i] = keep(trace_.gpu_events()[i]);
    }
  }
  void keep_time(const IntervalSet& time) { host_time_ = overlap(host_time_, time); }

  /// What the chosen steps launched, and what was launched during the other annotations.
  void keep_steps(const std::vector<bool>& chosen, const std::vector<EventId>& others) {
    std::vector<bool> launched_in_step(trace_.size(), false);
    ProcessTimes times(trace_);
    ProcessTimes times_of_others(trace_);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (!chosen[i]) continue;
      is_met_ = true;
      const Step& step = steps_[i];
      for (const EventId event : step.gpu_events) launched_in_step[index_of(event)] = true;
      const bool is_on_host = trace_.role(step.annotation) == Role::host_annotation;
      if (is_on_host) times.add(step.annotation, {step.begin_ns, step.end_ns});
    }
    for (const EventId event : others) {
      is_met_ = true;
      const auto extent = trace_.extent(event);
      if (!extent) continue;
      times.add(event, *extent);
      times_of_others.add(event, *extent);
    }
    times.close();
    times_of_others.close();
    keep_nodes([&](NodeId node) { return times.contains(tree_.arguments_event(node), host_begin_ns(node)); });
    keep_gpu_events([&](EventId event) {
      if (launched_in_step[index_of(event)]) return true;
      const NodeId launch = tree_.launch(event);
      return launch != no_node && times_of_others.contains(tree_.event(launch), host_begin_ns(launch));
    });
    keep_time(times.all());
  }

  template <typename Wanted>
  void keep_streams(Wanted wanted) {
    is_about_gpu_work_ = true;
    std::vector<bool> chosen;
    for (const Stream& stream : trace_.streams()) chosen.push_back(wanted(stream));
    is_met_ = std::ranges::find(chosen, true) != chosen.end();
    keep_gpu_events([&](EventId event) {
      const StreamId stream = trace_.stream(event);
      return stream != no_stream && chosen[index_of(stream)];
    });
  }

  /// An operator without a time of its own begins with what stands below it.
  [[nodiscard]] std::int64_t host_begin_ns(NodeId node) const {
    while (tree_.begin_ns(node) == unknown_time_ns) node = tree_.first_child(node);
    return tree_.begin_ns(node);
  }
  [[nodiscard]] Interval extent_of(NodeId node) const {
    const std::int64_t begin = tree_.begin_ns(node);
    return {begin, begin + std::max<std::int64_t>(tree_.duration_ns(node), 0)};
  }
  [[nodiscard]] std::int64_t behind_origin(std::int64_t since_ns) const {
    const bool is_far = recorded_.begin_ns > 0 && since_ns > largest_time_ns - recorded_.begin_ns;
    return is_far ? largest_time_ns : recorded_.begin_ns + since_ns;
  }

  const CallTree& tree_;
  const Trace& trace_;
  std::span<const Step> steps_;
  Interval recorded_;
  std::vector<bool> gpu_;    // by place among the trace's GPU events
  std::vector<bool> nodes_;  // by node
  IntervalSet host_time_;
  bool is_about_gpu_work_ = false;  // host calls alone do not meet the scope
  bool is_met_ = false;             // the condition at hand matches something, whatever the others say
  std::string_view problem_{};      // else
  Scope applied_;                   // the conditions so far
  Diagnostics diagnostics_;
};
}  // namespace

ScopeSelection select(const Scope& scope, const CallTree& tree, std::span<const Step> steps) {
  Selector selector(tree, steps);
  for (const ScopeCondition& condition : scope.conditions) selector.apply(condition);
  return selector.take();
}

Interval recorded_time(const Trace& trace) {
  std::optional<Interval> recorded;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const auto event = id_at<EventId>(i);
    const Role role = trace.role(event);
    const bool counts = is_host_call(role) || is_gpu_work(role) || role == Role::host_annotation;
    const auto extent = counts ? trace.extent(event) : std::nullopt;
    if (!extent) continue;
    if (!recorded) recorded = *extent;
    recorded->begin_ns = std::min(recorded->begin_ns, extent->begin_ns);
    recorded->end_ns = std::max(recorded->end_ns, extent->end_ns);
  }
  return recorded.value_or(Interval{});
}
}  // namespace kinetoscope
