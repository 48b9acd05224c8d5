#include "core/perf_model/platform_reader.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "core/base/format.hpp"
#include "core/perf_model/data_file.hpp"

namespace kinetoscope::perf_model {
namespace {

using Json = nlohmann::json;

constexpr std::int64_t most_units = 1'000'000;

/// Fields that TraceLens has for other purposes.
constexpr std::array ignored_platform_fields = {"freq_mhz",          "num_cus", "l1_bw_gbps",
                                                "gemm_units_per_cu", "source",  "_reference"};

/// Lists and objects are not written out: a file may nest them deeper than a writer can follow.
std::string received_of(const Json& value) {
  if (value.is_structured()) return value.type_name();
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

class PlatformReader {
 public:
  PlatformReader(const std::string& input, const std::string& place) : input_(input), place_(place) {}

  [[nodiscard]] Platform read(const Json& entry) const;
  [[nodiscard]] DeviceMarks marks(const Json& entry, const std::string& field) const;

 private:
  [[noreturn]] void refuse(const std::string& field, const Json* received, const std::string& problem) const {
    throw Error({.code = ErrorCode::data_file_invalid,
                 .input = input_,
                 .argument = place_ + field,
                 .received = received == nullptr ? std::string() : received_of(*received),
                 .problem = problem});
  }
  void expect_object(const Json& value, const std::string& field) const {
    if (!value.is_object()) refuse(field, &value, "it is not an object");
  }
  void expect_only(const Json& object, const std::string& field, std::span<const char* const> known) const {
    for (const auto& [key, value] : object.items()) {
      if (std::ranges::find(known, key) == known.end()) {
        refuse(field + printable(key), nullptr, "there is no such field");
      }
    }
  }
  [[nodiscard]] std::string text(const Json& object, const char* key, const std::string& field,
                                 bool is_required) const {
    const auto found = object.find(key);
    if (found == object.end()) {
      if (is_required) refuse(field + key, nullptr, "it is missing");
      return {};
    }
    if (!found->is_string()) refuse(field + key, &*found, "it is not a text");
    auto out = found->get<std::string>();
    if (is_required && out.empty()) refuse(field + key, nullptr, "it is empty");
    return out;
  }
  template <typename Enum, std::size_t size>
  [[nodiscard]] Enum spelled(const Json& object, const char* key, const std::string& field, Enum otherwise,
                             const std::array<names::Spelled<Enum>, size>& table) const {
    const std::string spelling = text(object, key, field, false);
    if (spelling.empty() && !object.contains(key)) return otherwise;
    const auto number = names::number_of(table, spelling);
    if (number) return static_cast<Enum>(*number);
    std::string accepted;
    for (const auto& entry : table) accepted += (accepted.empty() ? "" : ", ") + std::string(entry.spelling);
    refuse(field + key, &object.at(key), "it is none of " + accepted);
  }
  [[nodiscard]] double positive(const Json& value, const std::string& field) const {
    if (!value.is_number()) refuse(field, &value, "it is not a number");
    const auto number = value.get<double>();
    if (!std::isfinite(number)) refuse(field, &value, "it is not finite");
    if (number <= 0) refuse(field, &value, "it is not above 0");
    return number;
  }
  [[nodiscard]] std::int64_t count(const Json& value, const std::string& field) const {
    if (!value.is_number_integer()) refuse(field, &value, "it is not a whole number");
    if (value.get<double>() < 1 || value.get<double>() > static_cast<double>(most_units)) {
      refuse(field, &value, fmt::format("it is not between 1 and {}", most_units));
    }
    return value.get<std::int64_t>();
  }
  [[nodiscard]] const Json& list(const Json& value, const std::string& field) const {
    if (!value.is_array()) refuse(field, &value, "it is not a list");
    return value;
  }
  [[nodiscard]] Figure figure(const Json& value, const std::string& field) const;
  [[nodiscard]] std::optional<Figure> optional_figure(const Json& object, const char* key) const {
    const auto found = object.find(key);
    if (found == object.end()) return {};
    return figure(*found, key);
  }
  void add_figure(ComputeRate& rate, Figure figure, const std::string& field) const;
  [[nodiscard]] ComputeRate& rate(Platform& platform, const std::string& spec, const std::string& field) const;
  void read_compute(Platform& platform, const Json& entry) const;
  void read_tflops(Platform& platform, const Json& map, const std::string& field) const;

  const std::string& input_;
  const std::string& place_;
};

Figure PlatformReader::figure(const Json& value, const std::string& field) const {
  if (value.is_number()) return {positive(value, field), FigureKind::stated, FigureStatus::unverified, {}, {}};
  if (!value.is_object()) refuse(field, &value, "it is neither a number nor a figure with its value and kind");
  static constexpr std::array known = {"value", "kind", "status", "source", "conditions"};
  const std::string inside = field + ".";
  expect_only(value, inside, known);
  if (!value.contains("value")) refuse(inside + "value", nullptr, "it is missing");
  if (!value.contains("kind")) refuse(inside + "kind", nullptr, "it is missing");
  Figure out;
  out.value = positive(value.at("value"), inside + "value");
  out.kind = spelled(value, "kind", inside, FigureKind::stated, figure_kinds);
  out.status = spelled(value, "status", inside, FigureStatus::unverified, figure_statuses);
  out.source = text(value, "source", inside, false);
  out.conditions = text(value, "conditions", inside, false);
  return out;
}

void PlatformReader::add_figure(ComputeRate& rate, Figure figure, const std::string& field) const {
  std::optional<Figure>& slot = figure.kind == FigureKind::measured ? rate.measured : rate.peak;
  if (slot) refuse(field, nullptr, fmt::format("it has two figures of kind {}", spelling_of(figure.kind)));
  slot = std::move(figure);
}

ComputeRate& PlatformReader::rate(Platform& platform, const std::string& spec, const std::string& field) const {
  if (std::ranges::find(compute_specs(), spec) == compute_specs().end()) {
    throw Error({.code = ErrorCode::data_file_invalid,
                 .input = input_,
                 .argument = place_ + field,
                 .received = spec,
                 .problem = "there is no such compute spec",
                 .accepted = "matrix_ or vector_ with fp64, fp32, tf32, fp16, bf16, fp8, fp6, fp4 or int8"});
  }
  return platform.compute[spec];
}

void PlatformReader::read_tflops(Platform& platform, const Json& map, const std::string& field) const {
  expect_object(map, field);
  if (map.empty()) refuse(field, nullptr, "it is empty");
  for (const auto& [spec, value] : map.items()) {
    ComputeRate& filled = rate(platform, spec, field);
    std::string own(field);
    own.append(".").append(spec);
    if (!value.is_array()) {
      add_figure(filled, figure(value, own), own);
      continue;
    }
    if (value.empty()) refuse(own, nullptr, "it is empty");
    for (const Json& one : value) add_figure(filled, figure(one, own), own);
  }
}

void PlatformReader::read_compute(Platform& platform, const Json& entry) const {
  const char* const fields[] = {"tflops", "max_achievable_tflops"};
  const auto given = std::ranges::count_if(fields, [&](const char* field) { return entry.contains(field); });
  if (given == 0) refuse("tflops", nullptr, "it is missing");
  if (given == 2) refuse("max_achievable_tflops", nullptr, "tflops says the same");
  for (const char* const field : fields) {
    if (entry.contains(field)) read_tflops(platform, entry.at(field), field);
  }
  if (entry.contains("no_path")) {
    for (const Json& spec : list(entry.at("no_path"), "no_path")) {
      if (!spec.is_string()) refuse("no_path", &spec, "it is not a text");
      ComputeRate& barred = rate(platform, spec.get<std::string>(), "no_path");
      if (barred.peak || barred.measured) refuse("no_path", &spec, "it has a figure");
      barred.has_no_path = true;
    }
  }
  if (!entry.contains("rates")) return;
  expect_object(entry.at("rates"), "rates");
  for (const auto& [spec, value] : entry.at("rates").items()) {
    rate(platform, spec, "rates").per_clock_and_unit = positive(value, "rates." + spec);
  }
}

DeviceMarks PlatformReader::marks(const Json& entry, const std::string& field) const {
  expect_object(entry, field);
  static constexpr std::array known = {"names", "compute_capability", "warp_size", "units", "memory_gib", "partitions"};
  const std::string inside = field + ".";
  expect_only(entry, inside, known);
  DeviceMarks out;
  if (!entry.contains("names")) refuse(inside + "names", nullptr, "it is missing");
  for (const Json& name : list(entry.at("names"), inside + "names")) {
    if (!name.is_string() || name.get_ref<const std::string&>().empty()) {
      refuse(inside + "names", &name, "it is not a text with a name");
    }
    out.names.push_back(name.get<std::string>());
  }
  out.compute_capability = text(entry, "compute_capability", inside, false);
  if (entry.contains("warp_size")) out.warp_size = count(entry.at("warp_size"), inside + "warp_size");
  if (entry.contains("units")) out.units = count(entry.at("units"), inside + "units");
  if (entry.contains("memory_gib")) {
    for (const Json& size : list(entry.at("memory_gib"), inside + "memory_gib")) {
      out.memory_gib.push_back(positive(size, inside + "memory_gib"));
    }
  }
  if (entry.contains("partitions")) {
    for (const Json& units : list(entry.at("partitions"), inside + "partitions")) {
      out.partitions.push_back(count(units, inside + "partitions"));
    }
  }
  return out;
}

Platform PlatformReader::read(const Json& entry) const {
  expect_object(entry, "platform");
  static constexpr std::array known = {"name",
                                       "about",
                                       "vendor",
                                       "arch",
                                       "informational",
                                       "mem_bw_gbps",
                                       "mem_bw_achievable_gbps",
                                       "memory_gb",
                                       "units",
                                       "clock_mhz",
                                       "clock_tensor_mhz",
                                       "link_gbps_per_direction",
                                       "last_level_cache_bytes",
                                       "tflops",
                                       "max_achievable_tflops",
                                       "no_path",
                                       "rates",
                                       "detect"};
  std::vector<const char*> accepted(known.begin(), known.end());
  accepted.insert(accepted.end(), ignored_platform_fields.begin(), ignored_platform_fields.end());
  expect_only(entry, "", accepted);
  Platform out;
  out.name = text(entry, "name", "", true);
  out.about = text(entry, "about", "", false);
  out.vendor = text(entry, "vendor", "", false);
  out.arch = text(entry, "arch", "", false);
  if (const auto found = entry.find("informational"); found != entry.end()) {
    if (!found->is_boolean()) refuse("informational", &*found, "it is neither true nor false");
    out.is_informational = found->get<bool>();
  }
  if (!entry.contains("mem_bw_gbps")) refuse("mem_bw_gbps", nullptr, "it is missing");
  out.mem_bw_gbps = figure(entry.at("mem_bw_gbps"), "mem_bw_gbps");
  if (out.mem_bw_gbps.kind == FigureKind::measured) {
    refuse("mem_bw_gbps", nullptr, "it is the peak; a measured one is mem_bw_achievable_gbps");
  }
  out.mem_bw_achievable_gbps = optional_figure(entry, "mem_bw_achievable_gbps");
  out.memory_gb = optional_figure(entry, "memory_gb");
  out.units = optional_figure(entry, "units");
  out.clock_mhz = optional_figure(entry, "clock_mhz");
  out.clock_tensor_mhz = optional_figure(entry, "clock_tensor_mhz");
  out.link_gbps_per_direction = optional_figure(entry, "link_gbps_per_direction");
  out.last_level_cache_bytes = optional_figure(entry, "last_level_cache_bytes");
  read_compute(out, entry);
  if (entry.contains("detect")) out.detect = marks(entry.at("detect"), "detect");
  return out;
}

constexpr const char* platform_file_advice = "see: schemas/data/platform.schema.json";

[[noreturn]] void refuse_platform_file(const std::string& input, const std::string& problem) {
  throw Error({.code = ErrorCode::data_file_invalid, .input = input, .problem = problem, .next = platform_file_advice});
}
}  // namespace

Platform platform_of(const Json& entry, const std::string& input, const std::string& place) {
  return PlatformReader(input, place).read(entry);
}

DeviceMarks device_marks_of(const Json& entry, const std::string& input, const std::string& place) {
  return PlatformReader(input, place).marks(entry, "detect");
}

Platform read_platform(std::string_view json, const std::string& input) {
  Json document;
  try {
    document = Json::parse(json);
  } catch (const Json::exception& error) {
    refuse_platform_file(input, std::string("it is not JSON: ") + error.what());
  }
  return platform_of(document, input, "");
}

Platform read_platform_file(const std::string& path) {
  return read_platform(read_data_file(path, most_platform_bytes, platform_file_advice), path);
}
}  // namespace kinetoscope::perf_model
