#include "core/perf_model/platform_detection.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "core/base/format.hpp"
#include "core/perf_model/platform_shares.hpp"
#include "core/perf_model/platform_table.hpp"

namespace kinetoscope::perf_model {
namespace {

constexpr double bytes_of_gib = 1024.0 * 1024.0 * 1024.0;
/// Drivers, error correction and virtual functions take up to this much.
constexpr double memory_tolerance = 0.03;

/// A device of the table, with figures or without.
struct ListedDevice {
  const std::string* name = nullptr;
  const DeviceMarks* marks = nullptr;
  const Platform* platform = nullptr;  ///< nullptr: no figures
  const std::string* about = nullptr;
};

std::vector<ListedDevice> listed_devices() {
  const PlatformTable& table = platform_table();
  std::vector<ListedDevice> out;
  out.reserve(table.platforms.size() + table.without_figures.size());
  for (const Platform& platform : table.platforms) {
    if (!platform.is_informational) out.push_back({&platform.name, &platform.detect, &platform, &platform.about});
  }
  for (const DeviceWithoutFigures& device : table.without_figures) {
    out.push_back({&device.name, &device.detect, nullptr, &device.about});
  }
  return out;
}

/// As whole words, in this order.
bool has_words(std::string_view text, std::string_view words) {
  return !words.empty() && fmt::format(" {} ", text).find(fmt::format(" {} ", words)) != std::string::npos;
}

/// The listed devices whose name is the longest that the device's name holds.
std::vector<ListedDevice> devices_named(std::string_view normal) {
  std::vector<ListedDevice> out;
  std::size_t longest = 0;
  for (const ListedDevice& device : listed_devices()) {
    std::size_t length = 0;
    for (const std::string& name : device.marks->names) {
      const std::string words = normal_device_name(name);
      if (has_words(normal, words)) length = std::max(length, words.size());
    }
    if (length == 0 || length < longest) continue;
    if (length > longest) out.clear();
    longest = length;
    out.push_back(device);
  }
  return out;
}

std::optional<double> gib_of(const DeviceProperties& device) {
  if (!device.memory_bytes || *device.memory_bytes <= 0) return {};
  return static_cast<double>(*device.memory_bytes) / bytes_of_gib;
}

std::string capability_of(const DeviceProperties& device) {
  if (!device.compute_major || !device.compute_minor) return {};
  return fmt::format("{}.{}", *device.compute_major, *device.compute_minor);
}

std::string device_text(const DeviceProperties& device) {
  std::string out = device.name.empty() ? "a device without a name" : "the device " + in_quotes(device.name);
  std::string facts;
  const auto add = [&](const std::string& fact) { facts += (facts.empty() ? "" : ", ") + fact; };
  if (device.multiprocessors) add(fmt::format("{} units", *device.multiprocessors));
  if (const auto gib = gib_of(device)) add(fmt::format("{:.1f} GiB", *gib));
  if (const std::string capability = capability_of(device); !capability.empty()) {
    add("compute capability " + capability);
  }
  if (device.warp_size) add(fmt::format("warps of {}", *device.warp_size));
  return facts.empty() ? out : out + " (" + facts + ")";
}

bool fits_memory(const DeviceMarks& marks, double gib) {
  return marks.memory_gib.empty() || std::ranges::any_of(marks.memory_gib, [&](double size) {
           return std::abs(gib - size) <= memory_tolerance * size;
         });
}

bool is_partition(const DeviceMarks& marks, std::int64_t units) {
  return std::ranges::find(marks.partitions, units) != marks.partitions.end();
}

/// Nothing that both say differs.
bool fits_chip(const DeviceMarks& marks, const DeviceProperties& device) {
  const std::string capability = capability_of(device);
  if (!capability.empty() && !marks.compute_capability.empty() && capability != marks.compute_capability) return false;
  return !device.warp_size || !marks.warp_size || *device.warp_size == *marks.warp_size;
}

bool fits_whole(const DeviceMarks& marks, const DeviceProperties& device) {
  if (!fits_chip(marks, device)) return false;
  if (device.multiprocessors && marks.units && *device.multiprocessors != *marks.units) return false;
  const auto gib = gib_of(device);
  return !gib || fits_memory(marks, *gib);
}

/// Everything that tells devices apart is there on both sides and the same.
bool fits_without_name(const DeviceMarks& marks, const DeviceProperties& device) {
  const auto gib = gib_of(device);
  if (!gib || !device.multiprocessors || !device.warp_size || capability_of(device).empty()) return false;
  if (marks.compute_capability.empty() || !marks.units || !marks.warp_size) return false;
  return fits_whole(marks, device);
}

std::string joined_names(const std::vector<ListedDevice>& devices, std::string_view between) {
  std::string out;
  for (const ListedDevice& device : devices) out += (out.empty() ? "" : std::string(between)) + *device.name;
  return out;
}

DeviceDetection unknown_device(std::string reason) {
  DeviceDetection out;
  out.reason = std::move(reason);
  return out;
}

DeviceDetection decide(const std::vector<ListedDevice>& devices, const DeviceProperties& properties) {
  DeviceDetection out;
  out.candidates.reserve(devices.size());
  std::vector<const Platform*> platforms;
  std::vector<ListedDevice> without;
  for (const ListedDevice& device : devices) {
    out.candidates.push_back(*device.name);
    if (device.platform != nullptr) platforms.push_back(device.platform);
    if (device.platform == nullptr) without.push_back(device);
  }
  out.is_ambiguous = devices.size() > 1;
  if (platforms.empty()) {
    out.reason = fmt::format("{} is {}, of which no figures are known: {}", device_text(properties),
                             joined_names(devices, " or "), *devices.front().about);
    return out;
  }
  out.platform = lowest_of(platforms);
  if (out.is_ambiguous) {
    out.notes.push_back(fmt::format("{} may be {}: the trace does not tell them apart, the lower figures are taken",
                                    device_text(properties), joined_names(devices, " or ")));
  }
  if (!without.empty()) {
    out.notes.push_back(fmt::format("no figures are known of {}: those of {} are taken", joined_names(without, " and "),
                                    out.platform->name));
  }
  return out;
}

/// What a partition or a MIG slice has of the one device that its name says. Its units are recorded.
DeviceDetection decide_part(const ListedDevice& whole, const DeviceProperties& properties) {
  if (whole.platform == nullptr) return decide({whole}, properties);
  const DeviceMarks& marks = *whole.marks;
  const auto gib = gib_of(properties);
  double whole_gib = marks.memory_gib.empty() ? 0 : marks.memory_gib.front();
  if (marks.memory_gib.empty() && whole.platform->memory_gb) {
    whole_gib = whole.platform->memory_gb->value * 1e9 / bytes_of_gib;
  }
  if (!gib || !marks.units || !(whole_gib > 0)) {
    return unknown_device(fmt::format("{} is a part of {}, and the trace does not say how much of its units and memory",
                                      device_text(properties), *whole.name));
  }
  DeviceDetection out;
  out.candidates = {*whole.name};
  out.is_part = true;
  out.compute_share =
      std::min(1.0, static_cast<double>(*properties.multiprocessors) / static_cast<double>(*marks.units));
  // What drivers and error correction take is not a share.
  const double memory_share = std::min(1.0, *gib / whole_gib);
  out.memory_share = memory_share > 1 - memory_tolerance ? 1.0 : memory_share;
  out.platform = part_of(*whole.platform, out.compute_share, out.memory_share,
                         fmt::format("{}, {} of {} units", *whole.name, *properties.multiprocessors, *marks.units));
  out.notes.push_back(
      fmt::format("{} is a part of {}: peaks are taken by its share of the units ({}) and of the memory ({}), measured "
                  "figures are of the whole device and not taken",
                  device_text(properties), *whole.name, share_text(out.compute_share), share_text(out.memory_share)));
  return out;
}

bool is_slice(std::string_view normal) { return has_words(normal, "mig"); }

DeviceDetection by_name(const std::vector<ListedDevice>& named, const DeviceProperties& device,
                        std::string_view normal) {
  const auto positive_units = device.multiprocessors && *device.multiprocessors > 0;
  if (is_slice(normal)) {
    if (named.size() == 1 && positive_units && fits_chip(*named.front().marks, device)) {
      return decide_part(named.front(), device);
    }
    // A name that several devices have is decided by what only a whole one shows.
    return unknown_device(fmt::format("{} is a part of {}, and the trace does not say how much of its units and memory",
                                      device_text(device), joined_names(named, " or ")));
  }
  std::vector<ListedDevice> fitting;
  for (const ListedDevice& one : named) {
    if (fits_whole(*one.marks, device)) fitting.push_back(one);
  }
  if (!fitting.empty()) return decide(fitting, device);
  for (const ListedDevice& one : named) {
    if (positive_units && fits_chip(*one.marks, device) && is_partition(*one.marks, *device.multiprocessors)) {
      return decide_part(one, device);
    }
  }
  return unknown_device(
      fmt::format("{} does not have the units, memory and compute capability of {}: it is another device of that name",
                  device_text(device), joined_names(named, " or ")));
}

bool says_nothing(std::string_view normal) {
  return normal.empty() || std::ranges::any_of(platform_table().names_that_say_nothing, [&](const std::string& name) {
           return normal_device_name(name) == normal;
         });
}

DeviceProperties without_id(DeviceProperties device) {
  device.id = 0;
  return device;
}

std::string ids_text(const std::vector<std::int64_t>& ids) {
  std::string out = ids.size() == 1 ? "device " : "devices ";
  for (std::size_t i = 0; i < ids.size(); ++i) out += (i == 0 ? "" : ", ") + std::to_string(ids[i]);
  return out;
}

void add_once(std::vector<std::string>& list, const std::string& text) {
  if (std::ranges::find(list, text) == list.end()) list.push_back(text);
}

/// The user's name says one of the devices that this one may be.
bool is_named(const Platform& named, const DeviceDetection& detection) {
  const std::string normal = normal_device_name(named.name);
  if (detection.platform && normal_device_name(detection.platform->name) == normal) return true;
  return std::ranges::any_of(detection.candidates, [&](const std::string& candidate) {
    return has_words(normal, normal_device_name(candidate));
  });
}

void warn_of_mismatch(PlatformDetection& out, const Platform& named) {
  for (const DetectedDevices& devices : out.devices) {
    if (devices.detection.candidates.empty()) continue;
    if (is_named(named, devices.detection)) {
      if (devices.detection.is_part && find_platform(named.name) != nullptr) {
        out.warnings.push_back(fmt::format(
            "the platform named is the whole {}, and {} of the trace has {} of its units", in_quotes(named.name),
            ids_text(devices.device_ids), share_text(devices.detection.compute_share)));
      }
      continue;
    }
    std::string found;
    for (const std::string& name : devices.detection.candidates) found += (found.empty() ? "" : " or ") + name;
    out.warnings.push_back(fmt::format("the platform named is {}, and {} of the trace: {} is {}", in_quotes(named.name),
                                       ids_text(devices.device_ids), device_text(devices.properties), found));
  }
}

void settle(PlatformDetection& out) {
  if (out.devices.empty()) {
    out.reason = "the trace does not describe its devices";
    return;
  }
  for (const DetectedDevices& devices : out.devices) {
    for (const std::string& note : devices.detection.notes) add_once(out.notes, note);
    if (out.reason.empty() && !devices.detection.platform) out.reason = devices.detection.reason;
  }
  if (!out.reason.empty()) return;
  const DetectedDevices& first = out.devices.front();
  for (const DetectedDevices& other : out.devices) {
    if (other.detection.platform == first.detection.platform) continue;
    out.reason =
        fmt::format("the devices of the trace differ: {}: {}, {}: {}", ids_text(first.device_ids),
                    first.detection.platform->name, ids_text(other.device_ids), other.detection.platform->name);
    return;
  }
  out.platform = first.detection.platform;
}
}  // namespace

DeviceDetection detect_device(const DeviceProperties& device) {
  const std::string normal = normal_device_name(device.name);
  if (!says_nothing(normal)) {
    const std::vector<ListedDevice> named = devices_named(normal);
    if (named.empty()) return unknown_device(fmt::format("{} is not in the table", device_text(device)));
    return by_name(named, device, normal);
  }
  std::vector<ListedDevice> fitting;
  for (const ListedDevice& one : listed_devices()) {
    if (fits_without_name(*one.marks, device)) fitting.push_back(one);
  }
  if (!fitting.empty()) return decide(fitting, device);
  return unknown_device(fmt::format("{} cannot be told by its properties", device_text(device)));
}

PlatformDetection detect_platform(const TraceMetadata& metadata, const Platform* named) {
  PlatformDetection out;
  for (const DeviceProperties& device : metadata.devices) {
    const auto alike = std::ranges::find_if(out.devices, [&](const DetectedDevices& devices) {
      return without_id(devices.properties) == without_id(device);
    });
    if (alike != out.devices.end()) {
      alike->device_ids.push_back(device.id);
      continue;
    }
    if (out.devices.size() == most_different_devices) {
      out.reason = fmt::format("the trace describes more than {} different devices", most_different_devices);
      break;
    }
    out.devices.push_back({{device.id}, device, detect_device(device)});
  }
  settle(out);
  if (named != nullptr) warn_of_mismatch(out, *named);
  return out;
}
}  // namespace kinetoscope::perf_model
