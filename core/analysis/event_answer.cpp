#include "core/analysis/event_answer.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "core/base/group_index.hpp"
#include "core/analysis/event_gpu_time.hpp"
#include "core/analysis/event_matches.hpp"
#include "core/analysis/event_order.hpp"

namespace kinetoscope::analysis {
namespace {

std::optional<std::int64_t> event_duration_ns(const Trace& trace, EventId event) {
  const std::optional<Interval> extent = trace.extent(event);
  if (!extent) return {};
  return extent->end_ns - extent->begin_ns;
}

void add_known(std::optional<WideSum>& sum, const std::optional<WideSum>& value) {
  if (value) sum = sum.value_or(0) + *value;
}

/// What rows show beside the name, the most telling first.
std::vector<EventField> shown_fields(EventSelection selection) {
  using enum EventField;
  switch (selection) {
    case EventSelection::kernels: return {kernel_kind, category, launching_operator, module, device, stream, step};
    case EventSelection::gpu_work:
      return {role, kernel_kind, category, launching_operator, module, device, stream, step};
    case EventSelection::operators: return {category, launching_operator, module, thread, step};
    case EventSelection::runtime_calls:
    case EventSelection::python_frames: return {launching_operator, module, thread, step};
    case EventSelection::annotations: return {thread, step, phase};
  }
  return {};
}

/// The events that match a query, with what is needed to rank and measure them.
class Answerer {
 public:
  Answerer(const EventQuery& query, const EventSource& source, const std::stop_token& stop)
      : query_(query),
        trace_(source.tree.trace()),
        fields_(source.tree, source.steps, source.registry),
        population_(event_population(source, query.includes_unlinked)),
        gpu_time_(source.tree, population_),
        matches_(matching_events(query, source, population_, fields_, stop)) {}

  [[nodiscard]] EventAnswer take() {
    EventAnswer out;
    const bool is_grouped = !query_.group_by.empty();
    out.fields = is_grouped ? query_.group_by : shown_fields(query_.select);
    out.scope_gpu_ns = gpu_time_.population_ns();
    const std::vector<std::uint32_t> one_group(matches_.size(), 0);
    out.whole = std::move(measured(one_group, 1).front().figures);
    if (is_grouped) {
      fill_groups(out);
    } else {
      fill_rows(out);
    }
    return out;
  }

 private:
  /// A group by its key and what was measured of it.
  struct Measured {
    EventFigures figures;
    EventId longest = no_event;
    std::optional<std::int64_t> longest_ns;
  };

  void add(EventId event, std::optional<std::int64_t> duration_ns, Measured& group) const {
    ++group.figures.count;
    add_known(group.figures.gpu_ns, gpu_time_.total_ns(event));
    add_known(group.figures.own_gpu_ns, gpu_time_.own_ns(event));
    if (!duration_ns) ++group.figures.untimed;
    group.figures.sum_ns += duration_ns.value_or(0);
    if (group.longest != no_event && (!duration_ns || duration_ns <= group.longest_ns)) return;
    group.longest = event;
    group.longest_ns = duration_ns;
  }

  /// `group_of` by place among the matches.
  [[nodiscard]] std::vector<Measured> measured(std::span<const std::uint32_t> group_of, std::size_t groups) const {
    std::vector<Measured> out(groups);
    for (std::size_t i = 0; i < matches_.size(); ++i) {
      add(matches_[i], event_duration_ns(trace_, matches_[i]), out[group_of[i]]);
    }
    std::vector<std::size_t> ends(groups + 1, 0);  // of each group's durations: first where they begin
    for (std::size_t i = 0; i < groups; ++i) ends[i + 1] = ends[i] + out[i].figures.count - out[i].figures.untimed;
    std::vector<std::int64_t> durations(ends.back());
    std::vector<std::size_t> next = ends;
    for (std::size_t i = 0; i < matches_.size(); ++i) {
      if (const auto duration_ns = event_duration_ns(trace_, matches_[i]))
        durations[next[group_of[i]]++] = *duration_ns;
    }
    for (std::size_t i = 0; i < groups; ++i) {
      measure_durations(std::span(durations).subspan(ends[i], ends[i + 1] - ends[i]), out[i].figures);
      set_share(out[i].figures);
    }
    return out;
  }

  void set_share(EventFigures& figures) const {
    if (!figures.own_gpu_ns || gpu_time_.population_ns() == 0) return;
    figures.gpu_share = static_cast<double>(*figures.own_gpu_ns) / static_cast<double>(gpu_time_.population_ns());
  }

  [[nodiscard]] SortNumber number_of_row(EventId event, EventMeasure measure) const {
    if (measure == EventMeasure::event) return {true, WideSum{index_of(event)}, 0};
    if (measure == EventMeasure::gpu_ns) return sort_number(gpu_time_.total_ns(event));
    if (measure == EventMeasure::own_gpu_ns || measure == EventMeasure::gpu_share) {
      return sort_number(gpu_time_.own_ns(event));
    }
    if (measure == EventMeasure::duration_ns) return sort_number(event_duration_ns(trace_, event));
    const std::int64_t begin_ns = trace_.begin_ns(event);
    return {begin_ns != unknown_time_ns, begin_ns, 0};
  }

  void fill_rows(EventAnswer& out) {
    out.total = matches_.size();
    for (const std::uint32_t place : ranked_rows()) {
      const EventId event = matches_[place];
      EventRow row;
      row.event = event;
      row.name = std::string(trace_.name_text(event));
      if (trace_.begin_ns(event) != unknown_time_ns) row.begin_ns = trace_.begin_ns(event) - origin_ns();
      row.duration_ns = event_duration_ns(trace_, event);
      row.gpu_ns = gpu_time_.total_ns(event);
      row.own_gpu_ns = gpu_time_.own_ns(event);
      for (const EventField field : out.fields) row.values.push_back(fields_.text(field, fields_.value(field, event)));
      out.rows.push_back(std::move(row));
    }
  }

  [[nodiscard]] std::vector<std::uint32_t> ranked_rows() {
    const auto is_first = [&](std::uint32_t one, std::uint32_t other, int order) {
      return order != 0 ? order < 0 : one < other;  // places among the matches are in the order of event ids
    };
    if (const auto* const field = std::get_if<EventField>(&query_.sort_by)) {
      std::vector<std::uint32_t> values;
      values.reserve(matches_.size());
      for (const EventId event : matches_) values.push_back(fields_.value(*field, event));
      return ranked_places(matches_.size(), query_.first, query_.limit, [&](std::uint32_t one, std::uint32_t other) {
        return is_first(one, other, compare_values(*field, values[one], values[other]));
      });
    }
    std::vector<SortNumber> numbers;
    numbers.reserve(matches_.size());
    for (const EventId event : matches_)
      numbers.push_back(number_of_row(event, std::get<EventMeasure>(query_.sort_by)));
    return ranked_places(matches_.size(), query_.first, query_.limit, [&](std::uint32_t one, std::uint32_t other) {
      return is_first(one, other, compare_numbers(numbers[one], numbers[other], query_.is_descending));
    });
  }

  /// Events without the field stand last either way.
  [[nodiscard]] int compare_values(EventField field, std::uint32_t one, std::uint32_t other) const {
    const std::strong_ordering order = fields_.compare(field, one, other);
    if (order == std::strong_ordering::equal) return 0;
    const bool is_turned = query_.is_descending && one != no_id && other != no_id;
    return (order == std::strong_ordering::less) != is_turned ? -1 : 1;
  }

  using Key = GroupIndex<most_group_fields>::Key;
  [[nodiscard]] Key key_of(EventId event) {
    Key key{};
    for (std::size_t i = 0; i < query_.group_by.size(); ++i) key[i] = fields_.value(query_.group_by[i], event);
    return key;
  }

  void fill_groups(EventAnswer& out) {
    GroupIndex<most_group_fields> index;
    std::vector<std::uint32_t> group_of;
    group_of.reserve(matches_.size());
    for (const EventId event : matches_) group_of.push_back(index.of(key_of(event)));
    const std::vector<Measured> groups = measured(group_of, index.size());
    out.total = groups.size();
    for (const std::uint32_t place : ranked_groups(groups, index)) {
      EventGroup group{{}, groups[place].figures, groups[place].longest};
      for (std::size_t i = 0; i < out.fields.size(); ++i) {
        group.values.push_back(fields_.text(out.fields[i], index.key(place)[i]));
      }
      out.groups.push_back(std::move(group));
    }
  }

  [[nodiscard]] std::vector<std::uint32_t> ranked_groups(const std::vector<Measured>& groups,
                                                         const GroupIndex<most_group_fields>& index) const {
    return ranked_places(groups.size(), query_.first, query_.limit, [&](std::uint32_t one, std::uint32_t other) {
      if (const auto* const measure = std::get_if<EventMeasure>(&query_.sort_by)) {
        const int order = compare_numbers(number_of_group(groups[one].figures, *measure),
                                          number_of_group(groups[other].figures, *measure), query_.is_descending);
        if (order != 0) return order < 0;
      } else {
        const EventField field = std::get<EventField>(query_.sort_by);
        const auto at = std::ranges::find(query_.group_by, field) - query_.group_by.begin();
        const auto part = static_cast<std::size_t>(at);
        const int order = compare_values(field, index.key(one)[part], index.key(other)[part]);
        if (order != 0) return order < 0;
      }
      for (std::size_t i = 0; i < query_.group_by.size(); ++i) {
        const std::strong_ordering order = fields_.compare(query_.group_by[i], index.key(one)[i], index.key(other)[i]);
        if (order != std::strong_ordering::equal) return order == std::strong_ordering::less;
      }
      return one < other;  // different values with the same text
    });
  }

  [[nodiscard]] static SortNumber number_of_group(const EventFigures& figures, EventMeasure measure) {
    switch (measure) {
      case EventMeasure::count: return {true, WideSum{figures.count}, 0};
      case EventMeasure::untimed: return {true, WideSum{figures.untimed}, 0};
      case EventMeasure::sum_ns: return {true, figures.sum_ns, 0};
      case EventMeasure::mean_ns: return sort_number(figures.mean_ns);
      case EventMeasure::min_ns: return sort_number(figures.min_ns);
      case EventMeasure::max_ns: return sort_number(figures.max_ns);
      case EventMeasure::p50_ns: return sort_number(figures.p50_ns);
      case EventMeasure::p95_ns: return sort_number(figures.p95_ns);
      case EventMeasure::p99_ns: return sort_number(figures.p99_ns);
      case EventMeasure::gpu_ns: return sort_number(figures.gpu_ns);
      case EventMeasure::own_gpu_ns:
      case EventMeasure::gpu_share: return sort_number(figures.own_gpu_ns);
      case EventMeasure::event:
      case EventMeasure::begin_ns:
      case EventMeasure::duration_ns: break;  // check_query() refuses them
    }
    return {};
  }

  [[nodiscard]] std::int64_t origin_ns() {
    if (!origin_ns_) origin_ns_ = recorded_time(trace_).begin_ns;
    return *origin_ns_;
  }

  const EventQuery& query_;
  const Trace& trace_;
  EventFields fields_;
  std::vector<EventId> population_;
  EventGpuTime gpu_time_;
  std::vector<EventId> matches_;  // in file order
  std::optional<std::int64_t> origin_ns_;
};
}  // namespace

EventAnswer answer(const EventQuery& query, const EventSource& source, const std::stop_token& stop) {
  check_query(query);
  EventAnswer out = Answerer(query, source, stop).take();
  const bool is_of_gpu = query.select == EventSelection::kernels || query.select == EventSelection::gpu_work;
  if (is_of_gpu && !query.includes_unlinked && source.tree.has_launches()) {
    out.left_out = source.selection.gpu_events().size() - event_population(source, false).size();
  }
  out.diagnostics = source.selection.diagnostics();
  return out;
}
}  // namespace kinetoscope::analysis
