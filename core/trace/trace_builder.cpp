#include "core/trace/trace_builder.hpp"

#include <algorithm>
#include <charconv>
#include <tuple>
#include <unordered_map>

#include "core/base/error.hpp"
#include "core/trace/diagnostics.hpp"
#include "core/trace/input_shapes.hpp"

namespace kinetoscope {
namespace {

constexpr std::size_t most_events = 0xffff'fffe;
constexpr std::size_t most_categories = 255;
/// Exporters with a limit stop at a round number of events; JAX's is a million.
constexpr std::size_t event_cap = 1'000'000;

/// Kineto writes lists of more than 30 ranks or sizes as `[0, 1, ..., 63]`, spelling the dots out.
bool is_elided(std::string_view list) { return list.find("...") != std::string_view::npos; }
}  // namespace

TraceBuilder::TraceBuilder() { trace_.categories_.emplace_back(); }

void TraceBuilder::set_other(std::string_view object_text) {
  trace_.other_arguments_.set(next_event(), intern_json(object_text));
}

void TraceBuilder::append(const EventFields& fields) {
  if (trace_.size() >= most_events) {
    throw Error({.code = ErrorCode::limit_reached,
                 .problem = "more than 4,294,967,294 events",
                 .next = "record fewer steps, or split the trace"});
  }
  if (fields.arrow_id != 0) trace_.arrow_ids_.set(next_event(), fields.arrow_id);
  if (is_gpu_work(fields.role)) trace_.gpu_events_.push_back(next_event());
  ++trace_.role_counts_[static_cast<std::size_t>(fields.role)];
  trace_.phases_.push_back(fields.phase);
  trace_.category_ids_.push_back(fields.category);
  trace_.names_.push_back(fields.name);
  trace_.tracks_of_events_.push_back(fields.track);
  trace_.begins_ns_.push_back(fields.begin_ns);
  trace_.durations_ns_.push_back(fields.duration_ns);
  trace_.roles_.push_back(fields.role);  // last: next_event() counts these
}

TraceBuilder::Category TraceBuilder::category(std::string_view text) {
  const std::optional<Role> role = role_of_category(text);
  const auto known = role.value_or(Role::unknown);
  const auto found = std::ranges::find(trace_.categories_, text);
  if (found != trace_.categories_.end()) {
    return {static_cast<std::uint8_t>(found - trace_.categories_.begin()), known, role.has_value()};
  }
  if (trace_.categories_.size() >= most_categories) {
    if (trace_.categories_.size() == most_categories) trace_.categories_.emplace_back("(other)");
    return {static_cast<std::uint8_t>(most_categories), known, role.has_value()};
  }
  trace_.categories_.emplace_back(text);
  return {static_cast<std::uint8_t>(trace_.categories_.size() - 1), known, role.has_value()};
}

TrackId TraceBuilder::track(const TrackPart& pid, const TrackPart& tid) {
  const std::array<std::int64_t, 4> key = {pid.number, tid.number, static_cast<std::int64_t>(pid.text),
                                           static_cast<std::int64_t>(tid.text)};
  const TextIndex::Entry entry =
      track_keys_.add({reinterpret_cast<const char*>(key.data()), key.size() * sizeof(std::int64_t)});
  if (entry.is_new) trace_.tracks_.push_back({pid, tid});
  return id_at<TrackId>(entry.index);
}

Trace TraceBuilder::finish() && {
  pair_begin_and_end();
  name_tracks();
  find_streams();
  count_defects();
  trace_.trim();
  return std::move(trace_);
}

void TraceBuilder::pair_begin_and_end() {
  std::unordered_map<std::uint32_t, std::vector<EventId>> open;  // by track; looked up only, never walked
  for (std::size_t i = 0; i < trace_.size(); ++i) {
    const Phase phase = trace_.phases_[i];
    if (phase != Phase::begin && phase != Phase::end) continue;
    trace_.diagnostics_.add(trace_diagnostics::begin_end_event);
    auto& stack = open[static_cast<std::uint32_t>(trace_.tracks_of_events_[i])];
    if (phase == Phase::begin) {
      stack.push_back(id_at<EventId>(i));
    } else if (!stack.empty()) {
      const std::size_t begin = index_of(stack.back());
      stack.pop_back();
      if (trace_.begins_ns_[i] != unknown_time_ns && trace_.begins_ns_[begin] != unknown_time_ns) {
        trace_.durations_ns_[begin] = trace_.begins_ns_[i] - trace_.begins_ns_[begin];
      }
    }
  }
}

void TraceBuilder::name_tracks() {
  // Process-level entries count for all tracks of the process, whatever tid they were written at.
  std::vector<std::pair<TrackPart, Track>> processes;
  const auto process_of = [&](const TrackPart& pid) -> Track& {
    const auto found = std::ranges::find_if(processes, [&](const auto& entry) { return entry.first == pid; });
    if (found != processes.end()) return found->second;
    return processes.emplace_back(pid, Track{}).second;
  };
  for (std::size_t i = 0; i < trace_.size(); ++i) {
    if (trace_.phases_[i] != Phase::metadata) continue;
    const auto event = id_at<EventId>(i);
    Track& track = trace_.tracks_[index_of(trace_.tracks_of_events_[i])];
    const std::string_view name = trace_.name_text(event);
    const NameId value = trace_.text(event, Argument::name).value_or(no_name);
    if (name == "process_name") {
      process_of(track.pid).process_name = value;
    } else if (name == "process_labels") {
      process_of(track.pid).process_labels = trace_.text(event, Argument::labels).value_or(no_name);
    } else if (name == "thread_name") {
      track.thread_name = value;
    } else if (name != "process_sort_index" && name != "thread_sort_index") {
      trace_.diagnostics_.add(trace_diagnostics::unknown_metadata_event);
    }
  }
  for (Track& track : trace_.tracks_) {
    const auto found = std::ranges::find_if(processes, [&](const auto& entry) { return entry.first == track.pid; });
    if (found == processes.end()) continue;
    track.process_name = found->second.process_name;
    track.process_labels = found->second.process_labels;
  }
}

void TraceBuilder::find_streams() {
  TextIndex keys;
  std::vector<Stream> found;
  HugeArray<std::uint32_t> stream_of;
  stream_of.reserve(trace_.gpu_events_.size());
  for (const EventId event : trace_.gpu_events_) {
    const Track& track = trace_.tracks_[index_of(trace_.track(event))];
    const std::int64_t device =
        trace_.integer(event, Argument::device).value_or(track.pid.is_text() ? 0 : track.pid.number);
    const auto written = trace_.integer(event, Argument::stream);
    const std::int64_t stream =
        trace_.integer(event, Argument::original_stream).value_or(written.value_or(track.tid.number));
    const std::array<std::int64_t, 2> key = {device, stream};
    const auto entry = keys.add({reinterpret_cast<const char*>(key.data()), sizeof(key)});
    if (entry.is_new) found.push_back({device, stream, 0});
    ++found[entry.index].gpu_events;
    stream_of.push_back(entry.index);
  }
  std::vector<std::uint32_t> order(found.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, [&](std::uint32_t left, std::uint32_t right) {
    return std::tuple(found[left].device, found[left].stream) < std::tuple(found[right].device, found[right].stream);
  });
  std::vector<StreamId> id_of(found.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    trace_.streams_.push_back(found[order[i]]);
    id_of[order[i]] = id_at<StreamId>(i);
  }
  for (std::size_t i = 0; i < stream_of.size(); ++i) {
    trace_.streams_of_events_.set(trace_.gpu_events_[i], id_of[stream_of[i]]);
  }
}

void TraceBuilder::count_defects() {
  Diagnostics& diagnostics = trace_.diagnostics_;
  count_shape_defects();
  if (!trace_.metadata_.distributed || !trace_.metadata_.distributed->rank) {
    diagnostics.add(trace_diagnostics::rank_unknown);
  }
  if (trace_.size() > 0 && trace_.size() % event_cap == 0) diagnostics.add(trace_diagnostics::event_cap_suspected);

  for (const Track& track : trace_.tracks_) {
    // The exporter names the process of sampled counters "GPU 0 Counters".
    const std::string_view process = trace_.text(track.pid.text);
    if (process.starts_with("GPU ") && process.ends_with(" Counters")) {
      diagnostics.add(trace_diagnostics::sampling_may_shift_durations);
    }
  }
  if (!trace_.is_absent(Argument::collective_name)) {
    for (const EventId event : trace_.gpu_events_) {
      const bool is_whole = trace_.integer(event, Argument::group_size) && trace_.integer(event, Argument::in_elements);
      if (trace_.text(event, Argument::collective_name) && !is_whole) {
        diagnostics.add(trace_diagnostics::missing_collective_metadata);
      }
    }
  }

  std::unordered_map<std::uint32_t, bool> elided;  // by name; looked up only
  for (const Argument argument : {Argument::group_ranks, Argument::in_split_size, Argument::out_split_size}) {
    if (trace_.is_absent(argument)) continue;
    for (std::size_t i = 0; i < trace_.size(); ++i) {
      const std::optional<NameId> list = trace_.text(id_at<EventId>(i), argument);
      if (!list) continue;
      const auto [entry, is_new] = elided.try_emplace(static_cast<std::uint32_t>(*list), false);
      if (is_new) entry->second = is_elided(trace_.text(*list));
      if (entry->second) diagnostics.add(trace_diagnostics::elided_metadata);
    }
  }
}

void TraceBuilder::count_shape_defects() {
  if (trace_.is_absent(Argument::input_types)) return;
  std::unordered_map<std::uint64_t, bool> lacks_shapes;  // by dims and types; looked up only
  for (std::size_t i = 0; i < trace_.size(); ++i) {
    const auto event = id_at<EventId>(i);
    const std::optional<JsonId> types = trace_.json(event, Argument::input_types);
    if (!types) continue;
    const JsonId dims = trace_.json(event, Argument::input_dims).value_or(no_json);
    const std::uint64_t key =
        std::uint64_t{static_cast<std::uint32_t>(dims)} << 32 | static_cast<std::uint32_t>(*types);
    const auto [entry, is_new] = lacks_shapes.try_emplace(key, false);
    if (is_new) entry->second = has_unknown_lists(trace_.json_text(dims), trace_.json_text(*types));
    if (entry->second) trace_.diagnostics_.add(trace_diagnostics::shapes_unavailable);
  }
}
}  // namespace kinetoscope
