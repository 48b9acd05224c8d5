#include "core/analysis/event_matches.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/glob.hpp"

namespace kinetoscope::analysis {
namespace {

constexpr std::size_t events_between_stops = 8'192;

/// One condition, with what it says of the values that it has met.
class ConditionMemo {
 public:
  ConditionMemo(const FieldCondition& condition, EventFields& fields) : condition_(condition), fields_(fields) {}
  [[nodiscard]] bool holds(EventId event) {
    const std::uint32_t value = fields_.value(condition_.field, event);
    if (value == no_id) return false;
    if (value >= answers_.size()) answers_.resize(std::size_t{value} + 1, unasked);
    std::uint8_t& known = answers_[value];
    if (known == unasked) {
      const std::optional<std::string> text = fields_.text(condition_.field, value);
      known = text && matches_glob(*text, condition_.pattern) ? yes : no;
    }
    return known == yes;
  }

 private:
  enum Answer : std::uint8_t { unasked, yes, no };
  const FieldCondition& condition_;
  EventFields& fields_;
  std::vector<std::uint8_t> answers_;  // by value
};

class EventFilter {
 public:
  EventFilter(const EventQuery& query, const Trace& trace, EventFields& fields, const std::stop_token& stop)
      : query_(query), trace_(trace), stop_(stop) {
    for (const FieldCondition& condition : query.conditions) conditions_.emplace_back(condition, fields);
  }
  /// Keeps the event if it fits.
  void offer(EventId event) {
    if (seen_++ % events_between_stops == 0 && stop_.stop_requested()) throw Error({.code = ErrorCode::interrupted});
    if (fits_duration(event) && std::ranges::all_of(conditions_, [&](auto& one) { return one.holds(event); })) {
      matches_.push_back(event);
    }
  }
  [[nodiscard]] std::vector<EventId> take() { return std::move(matches_); }

 private:
  [[nodiscard]] bool fits_duration(EventId event) const {
    if (!query_.min_duration_ns && !query_.max_duration_ns) return true;
    const std::optional<Interval> extent = trace_.extent(event);
    if (!extent) return false;
    const std::int64_t duration_ns = extent->end_ns - extent->begin_ns;
    return duration_ns >= query_.min_duration_ns.value_or(0) &&
           duration_ns <= query_.max_duration_ns.value_or(INT64_MAX);
  }

  const EventQuery& query_;
  const Trace& trace_;
  const std::stop_token& stop_;
  std::vector<ConditionMemo> conditions_;
  std::size_t seen_ = 0;
  std::vector<EventId> matches_;
};

std::optional<Role> host_role_of(EventSelection selection) {
  switch (selection) {
    case EventSelection::kernels:
    case EventSelection::gpu_work: return {};
    case EventSelection::operators: return Role::operator_call;
    case EventSelection::runtime_calls: return Role::runtime_call;
    case EventSelection::python_frames: return Role::python_call;
    case EventSelection::annotations: return Role::host_annotation;
  }
  return {};
}

/// Annotations are no calls: they are in scope when they begin while the host is.
bool is_host_event_in_scope(const EventSource& source, EventId event) {
  if (source.is_whole) return true;
  const NodeId call = source.tree.node(event);
  if (call != no_node) return source.selection.contains(call);
  const Trace& trace = source.tree.trace();
  const std::int64_t begin_ns = trace.begin_ns(event);
  if (trace.role(event) != Role::host_annotation || begin_ns == unknown_time_ns) return false;
  const auto intervals = source.selection.host_time().intervals();
  const auto behind = std::ranges::upper_bound(intervals, begin_ns, {}, &Interval::begin_ns);
  return behind != intervals.begin() && begin_ns < std::prev(behind)->end_ns;
}
}  // namespace

std::vector<EventId> event_population(const EventSource& source, bool includes_unlinked) {
  const auto in_scope = source.selection.gpu_events();
  if (includes_unlinked || !source.tree.has_launches()) return {in_scope.begin(), in_scope.end()};
  std::vector<EventId> out;
  out.reserve(in_scope.size());
  std::ranges::copy_if(in_scope, std::back_inserter(out),
                       [&](EventId event) { return source.tree.link(event).launch != no_event; });
  return out;
}

std::vector<EventId> matching_events(const EventQuery& query, const EventSource& source,
                                     std::span<const EventId> population, EventFields& fields,
                                     const std::stop_token& stop) {
  const Trace& trace = source.tree.trace();
  EventFilter filter(query, trace, fields, stop);
  const std::optional<Role> wanted = host_role_of(query.select);
  if (!wanted) {
    for (const EventId event : population) {
      if (query.select == EventSelection::gpu_work || trace.role(event) == Role::kernel) filter.offer(event);
    }
    return filter.take();
  }
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const auto event = id_at<EventId>(i);
    if (trace.role(event) == *wanted && is_host_event_in_scope(source, event)) filter.offer(event);
  }
  return filter.take();
}
}  // namespace kinetoscope::analysis
