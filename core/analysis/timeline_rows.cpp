#include "core/analysis/timeline_rows.hpp"

#include <map>
#include <utility>

#include "core/base/wide_sum.hpp"

namespace kinetoscope::analysis {
namespace {

struct Figure {
  TimelineType type{};
  std::int64_t Timeline::*time_ns = nullptr;
};
constexpr std::array figures = {
    Figure{TimelineType::computation_time, &Timeline::computation_ns},
    Figure{TimelineType::exposed_comm_time, &Timeline::exposed_communication_ns},
    Figure{TimelineType::exposed_memcpy_time, &Timeline::exposed_memcpy_ns},
    Figure{TimelineType::busy_time, &Timeline::busy_ns},
    Figure{TimelineType::idle_time, &Timeline::idle_ns},
    Figure{TimelineType::micro_idle_time, &Timeline::micro_idle_ns},
    Figure{TimelineType::macro_idle_time, &Timeline::macro_idle_ns},
    Figure{TimelineType::total_time, &Timeline::total_ns},
    Figure{TimelineType::total_comm_time, &Timeline::communication_ns},
    Figure{TimelineType::total_memcpy_time, &Timeline::memcpy_ns},
};

class TimelineMeasures {
 public:
  explicit TimelineMeasures(const TableInput& input)
      : input_(input), splits_idle_(input.options().micro_idle_ns.has_value()) {}

  [[nodiscard]] TimelineTables measure(std::span<const Step> steps, const std::vector<bool>& is_recompute) {
    if (input_.in_scope().empty()) return {};
    add_whole();
    if (input_.options().detects_recompute) {
      add_recompute_blocks(is_recompute);
    } else {
      out_.rows = block(out_.whole);
    }
    add_unlinked();
    add_devices();
    add_steps(steps);
    return std::move(out_);
  }

 private:
  void add_to(TimelineMeasurement& measurement, EventId event) const {
    if (const std::optional<Interval> extent = input_.trace().extent(event)) {
      measurement.add(input_.buckets().of(event), *extent);
    }
  }

  [[nodiscard]] Timeline finished(TimelineMeasurement& measurement) const {
    return std::move(measurement).finish(input_.options().micro_idle_ns);
  }

  [[nodiscard]] std::vector<TimelineRow> block(const Timeline& timeline) const {
    std::vector<TimelineRow> rows;
    for (const Figure& figure : figures) {
      const bool is_whole_idle = figure.type == TimelineType::idle_time;
      const bool is_split_idle =
          figure.type == TimelineType::micro_idle_time || figure.type == TimelineType::macro_idle_time;
      if (splits_idle_ ? is_whole_idle : is_split_idle) continue;
      TimelineRow& row = rows.emplace_back();
      row.type = figure.type;
      row.time_ns = timeline.*figure.time_ns;
      row.percent = percentage_of(row.time_ns, timeline.total_ns);
    }
    return rows;
  }

  void add_whole() {
    TimelineMeasurement measurement;
    for (const EventId event : input_.events()) add_to(measurement, event);
    span_ = measurement.span();
    out_.whole = finished(measurement);
  }

  void add_recompute_blocks(const std::vector<bool>& is_recompute) {
    std::array<TimelineMeasurement, 2> halves;
    for (const EventId event : input_.events()) {
      const bool is_marked = index_of(event) < is_recompute.size() && is_recompute[index_of(event)];
      add_to(halves[is_marked ? 1 : 0], event);
    }
    for (const bool is_marked : {false, true}) {
      const Timeline timeline = finished(halves[is_marked ? 1 : 0]);
      if (timeline.events == 0) continue;
      for (TimelineRow& row : block(timeline)) {
        row.is_recompute = is_marked;
        row.percent_of_whole = percentage_of(row.time_ns, out_.whole.total_ns);
        out_.rows.push_back(row);
      }
    }
  }

  /// A share only where all of it ran within the table's own span: elsewhere there is nothing it is a part of.
  void add_unlinked() {
    TimelineMeasurement measurement;
    for (const EventId event : input_.unlinked()) add_to(measurement, event);
    const std::optional<Interval> extent = measurement.span();
    out_.unlinked_ns = std::move(measurement).finish().busy_ns;
    TimelineRow& row = out_.rows.emplace_back();
    row.type = TimelineType::unlinked_time;
    row.time_ns = out_.unlinked_ns;
    const bool is_within = !extent || (span_ && span_->begin_ns <= extent->begin_ns && extent->end_ns <= span_->end_ns);
    if (is_within) row.percent = percentage_of(row.time_ns, out_.whole.total_ns);
    if (input_.options().detects_recompute) row.percent_of_whole = row.percent;
  }

  void add_devices() {
    std::map<std::int64_t, TimelineMeasurement> devices;
    const Trace& trace = input_.trace();
    const auto device_of = [&](StreamId stream) { return trace.streams()[index_of(stream)].device; };
    if (trace.streams().empty() || trace.streams().front().device == trace.streams().back().device) return;
    std::vector<TimelineMeasurement*> of_stream(trace.streams().size(), nullptr);
    for (const EventId event : input_.events()) {
      const StreamId stream = trace.stream(event);
      if (stream == no_stream) continue;
      TimelineMeasurement*& measurement = of_stream[index_of(stream)];
      if (measurement == nullptr) measurement = &devices[device_of(stream)];
      add_to(*measurement, event);
    }
    if (devices.size() < 2) return;
    for (auto& [device, measurement] : devices) {
      const Timeline timeline = finished(measurement);
      if (timeline.events == 0) continue;
      for (const TimelineRow& row : block(timeline)) out_.by_device.push_back({device, row});
    }
  }

  void add_steps(std::span<const Step> steps) {
    const Trace& trace = input_.trace();
    for (std::size_t i = 0; i < steps.size(); ++i) {
      TimelineMeasurement measurement;
      for (const EventId event : steps[i].gpu_events) {
        if (input_.contains(event)) add_to(measurement, event);
      }
      const Timeline timeline = finished(measurement);
      if (timeline.events == 0) continue;
      const std::string_view name =
          steps[i].annotation == no_event ? std::string_view() : trace.name_text(steps[i].annotation);
      for (const TimelineRow& row : block(timeline)) out_.by_step.push_back({id_at<StepId>(i), name, row});
    }
  }

  const TableInput& input_;
  bool splits_idle_;
  std::optional<Interval> span_;
  TimelineTables out_;
};
}  // namespace

TimelineTables timeline_tables(const TableInput& input, std::span<const Step> steps,
                               const std::vector<bool>& is_recompute) {
  return TimelineMeasures(input).measure(steps, is_recompute);
}
}  // namespace kinetoscope::analysis
