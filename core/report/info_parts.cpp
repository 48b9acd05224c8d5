#include "core/report/info_parts.hpp"

namespace kinetoscope::report {
namespace {

std::optional<std::string> unless_empty(std::string_view text) {
  return text.empty() ? std::nullopt : std::optional(valid_utf8(text).text);
}

/// A version as the file writes it: a number stays one.
Json version_json(const std::string& json) {
  Json value = Json::parse(json, nullptr, false);
  return value.is_discarded() || value.is_structured() ? text_json(json) : value;
}
}  // namespace

Json diagnostics_json(const Diagnostics& diagnostics) {
  Json out = Json::array();
  for (const Diagnostic& found : diagnostics.sorted()) {
    Json row = {{"code", found.code}, {"count", found.count}};
    row["first_offset"] = found.first_offset ? Json(*found.first_offset) : Json(nullptr);
    row["message"] = found.message;
    row["severity"] = spelling_of(found.severity);
    out.push_back(std::move(row));
  }
  return out;
}

Json partial_json(const std::optional<PartialRead>& partial) {
  if (!partial) return nullptr;
  return {{"offset", partial->offset}, {"reason", partial->reason}};
}

Json population_json(const analysis::GpuPopulation& population) {
  Json out = {{"events", population.events}, {"untimed", population.untimed}};
  put_sum(out, "kernel_sum_ns", population.kernel_sum_ns);
  out["busy_ns"] = population.busy_ns;
  out["span_ns"] = population.span_ns;
  out["idle_ns"] = population.idle_ns;
  out["computation_ns"] = population.computation_ns;
  out["communication_ns"] = population.communication_ns;
  out["exposed_communication_ns"] = population.exposed_communication_ns;
  out["memcpy_ns"] = population.memcpy_ns;
  return out;
}

Json unlinked_json(const analysis::Unlinked& unlinked) {
  Json out = {{"events", unlinked.events}};
  put_sum(out, "time_ns", unlinked.time_ns);
  put(out, "share", unlinked.share, Reason::no_gpu_events);
  out["causes"] = Json::object();
  for (const analysis::UnlinkedShare& share : unlinked.causes) {
    Json& cause = out["causes"][std::string(spelling_of(share.cause))];
    cause = {{"events", share.events}};
    put_sum(cause, "time_ns", share.time_ns);
  }
  return out;
}

Json step_json(const analysis::StepOverview& step) {
  using names::StepPhase;
  const names::StepAnnotation& label = step.label;
  const bool has_requests = label.kind != names::StepKind::profiler_step;
  const bool has_phase = label.phase != StepPhase::unknown && label.phase != StepPhase::idle;
  Json out = {{"name", text_json(step.name)}, {"kind", spelling_of(label.kind)}};
  out["phase"] = has_phase ? Json(spelling_of(label.phase)) : Json(nullptr);
  if (!has_phase) out["phase_reason"] = label.phase == StepPhase::idle ? "idle" : spelling_of(Reason::not_recorded);
  put(out, "step_number", label.step_number, Reason::not_recorded);
  put(out, "context_requests", label.context_requests, Reason::not_recorded);
  put(out, "generation_requests", label.generation_requests, Reason::not_recorded);
  const auto recorded = [&](std::int64_t value) { return has_requests ? std::optional(value) : std::nullopt; };
  put(out, "requests", recorded(label.num_requests), Reason::not_applicable);
  put(out, "context_tokens", recorded(label.context_sum), Reason::not_applicable);
  put(out, "generation_tokens", recorded(label.generation_sum), Reason::not_applicable);
  put(out, "batch_size", recorded(label.batch_size), Reason::not_applicable);
  out["begin_ns"] = step.begin_ns;
  out["end_ns"] = step.end_ns;
  out["gpu_events"] = step.gpu_events;
  out["busy_ns"] = step.busy_ns;
  put(out, "gpu_annotation_busy_ns", step.annotated_gpu_time_ns, Reason::not_recorded);
  out["may_be_cut"] = step.may_be_cut;
  return out;
}

Json device_json(const analysis::DeviceOverview& device) {
  const DeviceProperties& properties = device.properties;
  Json out = {{"id", properties.id}};
  put(out, "name", unless_empty(properties.name), Reason::not_recorded);
  put(out, "memory_bytes", properties.memory_bytes, Reason::not_recorded);
  put(out, "compute_major", properties.compute_major, Reason::not_recorded);
  put(out, "compute_minor", properties.compute_minor, Reason::not_recorded);
  put(out, "multiprocessors", properties.multiprocessors, Reason::not_recorded);
  put(out, "warp_size", properties.warp_size, Reason::not_recorded);
  out["described"] = device.is_described;
  out["gpu_events"] = device.gpu_events;
  out["busy_ns"] = device.busy_ns;
  return out;
}

Json stream_json(const analysis::StreamOverview& stream) {
  return {{"device", stream.device},
          {"stream", stream.stream},
          {"gpu_events", stream.gpu_events},
          {"busy_ns", stream.busy_ns}};
}

void put_sum(Json& object, const std::string& key, WideSum sum) {
  const Known<std::int64_t> known = narrowed(sum);
  put(object, key, known ? std::optional(*known) : std::nullopt, Reason::out_of_range);
}

void put_identity(Json& object, const analysis::Overview& overview) {
  const std::string_view vendor = names::vendor_of(overview.flavour);
  put(object, "vendor", unless_empty(vendor), Reason::not_recorded);
  put(object, "gpu_runtime", vendor.empty() ? std::nullopt : std::optional(std::string(spelling_of(overview.flavour))),
      Reason::not_recorded);
  object["frameworks"] = Json::array();
  for (const analysis::FrameworkEvidence& evidence : overview.frameworks) {
    object["frameworks"].push_back(
        {{"name", spelling_of(evidence.framework)}, {"distinct_names", evidence.distinct_names}});
  }
  put(object, "profiler", unless_empty(overview.profiler), Reason::not_recorded);
  put(object, "torch_version", unless_empty(overview.torch_version), Reason::not_recorded);
  object["versions"] = Json::object();
  for (const MetadataEntry& version : overview.versions) {
    object["versions"][valid_utf8(version.key).text] = version_json(version.json);
  }
  put(object, "rank", overview.ranks.rank, Reason::not_recorded);
  put(object, "world_size", overview.ranks.world_size, Reason::not_recorded);
  object["rank_labels"] = Json::array();
  for (const std::string& label : overview.ranks.labels) object["rank_labels"].push_back(label);
  object["launching_processes"] = overview.ranks.launching_processes;
  put(object, "host_name", unless_empty(overview.host_name), Reason::not_recorded);
  put(object, "base_time_ns", overview.base_time_ns, Reason::not_recorded);
  put(object, "first_gpu_event_ns", overview.first_gpu_event_ns, Reason::no_gpu_events);
}
}  // namespace kinetoscope::report
