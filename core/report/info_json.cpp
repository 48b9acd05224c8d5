#include "core/report/info_json.hpp"

#include "core/base/known.hpp"
#include "core/base/unicode.hpp"
#include "core/names/step_annotations.hpp"
#include "core/report/info_parts.hpp"

namespace kinetoscope::report {
namespace {

Json fitness_json(const analysis::FitnessReport& fitness) {
  Json out = Json::object();
  for (std::size_t i = 0; i < analysis::question_count; ++i) {
    const auto question = static_cast<analysis::Question>(i);
    const analysis::Fitness& answer = fitness.of(question);
    Json figures = Json::object();
    for (const analysis::FitnessFigure& figure : answer.figures) figures[figure.name] = number_json(figure.value);
    Json record = Json::object();
    for (const analysis::RecordAdvice& advice : answer.record) record[advice.framework] = advice.lines;
    out[std::string(spelling_of(question))] = {{"verdict", spelling_of(answer.verdict)},
                                               {"reason", text_json(answer.reason)},
                                               {"figures", std::move(figures)},
                                               {"record", std::move(record)}};
  }
  return out;
}

Json counts_json(const analysis::Overview& overview) {
  Json out = {{"events", overview.events}};
  for (std::size_t i = 0; i < role_count; ++i) {
    out[std::string(spelling_of(static_cast<Role>(i)))] = overview.counts[i];
  }
  return out;
}

Json suspects_json(const Info& info) {
  Json events = Json::array();
  for (const analysis::SuspectDuration& suspect : info.suspects) {
    events.push_back({{"event", index_of(suspect.event)},
                      {"clipped_end_ns", suspect.clipped_end_ns},
                      {"covered_events", suspect.covered}});
  }
  return {{"events", std::move(events)}, {"clipped", population_json(info.clipped)}};
}

Json usable_window_json(const std::optional<analysis::UsableWindow>& window) {
  if (!window) return nullptr;
  return {{"first_step", index_of(window->first_step)},
          {"last_step", index_of(window->last_step)},
          {"reason", text_json(window->reason)}};
}

Json clock_json(const analysis::CommonClock& clock, std::size_t place) {
  const analysis::ClockPlace& own = clock.places[place];
  Json out = {{"aligned", clock.is_aligned}};
  out["reason"] = clock.is_aligned ? Json(nullptr) : Json(clock.reason);
  put(out, "base_time_ns", own.base_time_ns, Reason::not_recorded);
  put(out, "offset_ns", own.offset_ns, clock.is_aligned ? Reason::out_of_range : Reason::not_applicable);
  put(out, "first_gpu_event_ns", own.first_gpu_event_ns,
      clock.is_aligned ? Reason::no_gpu_events : Reason::not_applicable);
  return out;
}

Json recorded_json(const std::vector<analysis::RecordedFact>& facts) {
  Json out = Json::object();
  for (const analysis::RecordedFact& fact : facts) {
    out[fact.name] = {{"seen", fact.is_seen}, {"header", fact.header ? Json(*fact.header) : Json(nullptr)}};
  }
  return out;
}

Json launches_json(const LaunchCounts& launches) {
  return {{"total", launches.total},
          {"without_kernel", launches.without_kernel},
          {"captured", launches.captured},
          {"graph_launches", launches.graph_launches},
          {"graph_launches_without_kernel", launches.graph_launches_without_kernel}};
}
}  // namespace

Json info_json(const Info& info) {
  const analysis::Overview& overview = info.overview;
  Diagnostics diagnostics = info.diagnostics;
  if (info.clock != nullptr) diagnostics.merge(info.clock->places[info.clock_place].diagnostics);
  Json out;
  out["schema"] = "kinetoscope.info.1";
  out["file"] = text_json(info.file);
  out["kind"] = spelling_of(overview.kind);
  out["partial"] = partial_json(overview.partial);
  out["fitness"] = fitness_json(info.fitness);
  out["gpu"] = {{"all", population_json(info.all)}, {"linked", population_json(info.linked)}};
  out["unlinked"] = unlinked_json(overview.unlinked);
  out["launches"] = launches_json(overview.launches);
  out["steps"] = Json::array();
  for (const analysis::StepOverview& step : overview.steps) out["steps"].push_back(step_json(step));
  out["devices"] = Json::array();
  for (const analysis::DeviceOverview& device : overview.devices) out["devices"].push_back(device_json(device));
  out["counts"] = counts_json(overview);
  out["diagnostics"] = diagnostics_json(diagnostics);

  out["do_not_analyse"] = info.fitness.do_not_analyse ? text_json(*info.fitness.do_not_analyse) : Json(nullptr);
  out["usable_window"] = usable_window_json(info.fitness.usable_window);
  out["suspect_durations"] = suspects_json(info);
  put_identity(out, overview);
  out["streams"] = Json::array();
  for (const analysis::StreamOverview& stream : overview.streams) out["streams"].push_back(stream_json(stream));
  out["recorded"] = recorded_json(overview.recorded);
  out["unmatched_step_annotations"] = Json::array();
  for (const std::string& name : overview.unmatched_steps) out["unmatched_step_annotations"].push_back(text_json(name));
  if (info.clock != nullptr) out["common_clock"] = clock_json(*info.clock, info.clock_place);
  return out;
}
}  // namespace kinetoscope::report
