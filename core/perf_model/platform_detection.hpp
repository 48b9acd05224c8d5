#pragma once

// Which platform a trace was recorded on, from what it says of its devices. A name decides by whole words, the longest
// first, and must agree with units, memory and compute capability where those are recorded; without a usable name these
// decide together, memory never alone. Where several devices remain, the lower figures are taken and flagged; a part of
// a device (partition, MIG) has its share of them. A device that the table does not know gets none.
// Cost: O(devices of the trace x known platforms).

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/trace/metadata.hpp"
#include "core/perf_model/platform.hpp"

namespace kinetoscope::perf_model {

struct DeviceDetection {
  /// What the device is held against: one of the table, the lower figures of several, or a share of one.
  std::optional<Platform> platform;
  std::vector<std::string> candidates;  ///< names of the devices that it may be; one where that is decided
  bool is_ambiguous = false;
  bool is_part = false;  ///< figures are scaled by the two shares
  double compute_share = 1;
  double memory_share = 1;
  std::vector<std::string> notes;  ///< sentences without full stop
  std::string reason;              ///< why there is no platform; a clause that names the device
  friend bool operator==(const DeviceDetection&, const DeviceDetection&) = default;
};

[[nodiscard]] DeviceDetection detect_device(const DeviceProperties& device);

/// Devices of one trace that are described alike.
struct DetectedDevices {
  std::vector<std::int64_t> device_ids;  ///< in the order of the trace
  DeviceProperties properties;           ///< of the first
  DeviceDetection detection;
  friend bool operator==(const DetectedDevices&, const DetectedDevices&) = default;
};

/// A trace that describes more is damaged: it gets no platform, and the others are not listed.
inline constexpr std::size_t most_different_devices = 64;

struct PlatformDetection {
  std::optional<Platform> platform;  ///< of all devices; absent where they differ or one is unknown
  std::vector<DetectedDevices> devices;
  std::vector<std::string> notes;     ///< of all devices, each once
  std::vector<std::string> warnings;  ///< what the user names is not what the trace says
  std::string reason;                 ///< why there is no platform
  friend bool operator==(const PlatformDetection&, const PlatformDetection&) = default;
};

/// `named` is what the user names, nullptr for nothing: it adds warnings and changes nothing else.
[[nodiscard]] PlatformDetection detect_platform(const TraceMetadata& metadata, const Platform* named = nullptr);
}  // namespace kinetoscope::perf_model
