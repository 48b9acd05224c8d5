#include "core/trace/importers/kineto_metadata.hpp"

#include <charconv>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "core/io/json_repair.hpp"
#include "core/trace/diagnostics.hpp"

namespace kinetoscope::importers {
namespace {

using nlohmann::json;

std::optional<std::int64_t> integer_of(const json& value) {
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    if (number > static_cast<std::uint64_t>(INT64_MAX)) return {};
    return static_cast<std::int64_t>(number);
  }
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
  if (!value.is_string()) return {};
  const auto& text = value.get_ref<const std::string&>();
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return number;
}

const json& member(const json& object, const char* key) {
  static const json absent;
  if (!object.is_object()) return absent;
  const auto found = object.find(key);
  return found == object.end() ? absent : *found;
}

std::string text_of(const json& value) { return value.is_string() ? value.get<std::string>() : std::string(); }

std::optional<bool> flag_of(const json& value) {
  const std::optional<std::int64_t> number = integer_of(value);
  if (number) return *number != 0;
  if (value == "true" || value == "True") return true;
  if (value == "false" || value == "False") return false;
  return {};
}

DeviceProperties device_of(const json& value, std::size_t position) {
  DeviceProperties device;
  device.id = integer_of(member(value, "id")).value_or(static_cast<std::int64_t>(position));
  device.name = text_of(member(value, "name"));
  device.memory_bytes = integer_of(member(value, "totalGlobalMem"));
  device.compute_major = integer_of(member(value, "computeMajor"));
  device.compute_minor = integer_of(member(value, "computeMinor"));
  device.multiprocessors = integer_of(member(value, "numSms"));
  device.warp_size = integer_of(member(value, "warpSize"));
  return device;
}

ProcessGroup group_of(const json& value) {
  ProcessGroup group;
  group.name = text_of(member(value, "pg_name"));
  group.description = text_of(member(value, "pg_desc"));
  group.size = integer_of(member(value, "pg_size"));
  const json& ranks = member(value, "ranks");
  if (ranks.is_array()) {
    for (const json& rank : ranks) {
      if (const auto number = integer_of(rank)) {
        group.ranks.push_back(*number);
      } else {
        group.ranks_elided = true;  // "..." stands for what was left out
      }
    }
  } else if (ranks.is_string()) {
    group.ranks_elided = text_of(ranks).find("...") != std::string::npos;
  }
  return group;
}

Distributed distributed_of(const json& value) {
  Distributed out;
  out.backend = text_of(member(value, "backend"));
  out.rank = integer_of(member(value, "rank"));
  out.world_size = integer_of(member(value, "world_size"));
  const json& groups = member(value, "pg_config");
  if (groups.is_array()) {
    for (const json& group : groups) out.groups.push_back(group_of(group));
  }
  return out;
}

void read_entry(TraceMetadata& metadata, const std::string& key, const json& value) {
  if (key == "deviceProperties" && value.is_array()) {
    metadata.devices.clear();
    for (std::size_t i = 0; i < value.size(); ++i) metadata.devices.push_back(device_of(value[i], i));
  } else if (key == "distributedInfo" && value.is_object()) {
    metadata.distributed = distributed_of(value);
  } else if (key == "baseTimeNanoseconds") {
    metadata.base_time_ns = integer_of(value);
  } else if (key == "displayTimeUnit") {
    metadata.display_time_unit = text_of(value);
  } else if (key == "record_shapes") {
    metadata.record_shapes = flag_of(value);
  } else if (key == "with_stack") {
    metadata.with_stack = flag_of(value);
  } else if (key == "with_modules") {
    metadata.with_modules = flag_of(value);
  } else if (key == "with_flops") {
    metadata.with_flops = flag_of(value);
  } else if (key == "profile_memory") {
    metadata.profile_memory = flag_of(value);
  } else if (key == "cudaGraphInlineAnnotated") {
    metadata.graphs_annotated_inline = flag_of(value);
  } else if (key == "host_name") {
    metadata.host_name = text_of(value);
  }
}

std::optional<json> parsed(const std::string& text, Diagnostics& diagnostics) {
  json value = json::parse(text, nullptr, false);
  if (!value.is_discarded()) return value;
  // A wrapping object makes any value an event's field for the repairer.
  const auto repair = io::repair_event("{\"value\":" + text + "}");
  if (repair) {
    value = json::parse(repair->text, nullptr, false);
    if (!value.is_discarded()) {
      diagnostics.merge(repair->diagnostics);
      return member(value, "value");
    }
  }
  diagnostics.add(trace_diagnostics::invalid_metadata);
  return {};
}
}  // namespace

void read_metadata(TraceMetadata& metadata, Diagnostics& diagnostics) {
  for (const MetadataEntry& entry : metadata.entries) {
    const std::optional<json> value = parsed(entry.json, diagnostics);
    if (!value) continue;
    read_entry(metadata, entry.key, *value);
    const bool is_version = entry.key.ends_with("version") || entry.key.ends_with("Version");
    if (is_version && value->is_primitive() && entry.key != "schemaVersion") metadata.versions.push_back(entry);
  }
}
}  // namespace kinetoscope::importers
