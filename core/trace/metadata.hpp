#pragma once

// What a trace says of itself beside its events: devices, ranks, versions, what was recorded. Every top-level key is
// kept as its JSON text; those that the product reads have fields. It may stand before or after the events.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kinetoscope {

/// One entry of `deviceProperties`. Absent fields were not recorded.
struct DeviceProperties {
  std::int64_t id = 0;
  std::string name;  ///< may be empty: some ROCm versions write no name
  std::optional<std::int64_t> memory_bytes;
  std::optional<std::int64_t> compute_major;
  std::optional<std::int64_t> compute_minor;
  std::optional<std::int64_t> multiprocessors;
  std::optional<std::int64_t> warp_size;
  friend bool operator==(const DeviceProperties&, const DeviceProperties&) = default;
};

struct ProcessGroup {
  std::string name;
  std::string description;
  std::optional<std::int64_t> size;
  std::vector<std::int64_t> ranks;
  bool ranks_elided = false;  ///< the profiler wrote only part of the list
  friend bool operator==(const ProcessGroup&, const ProcessGroup&) = default;
};

/// `distributedInfo`.
struct Distributed {
  std::string backend;
  std::optional<std::int64_t> rank;
  std::optional<std::int64_t> world_size;
  std::vector<ProcessGroup> groups;
  friend bool operator==(const Distributed&, const Distributed&) = default;
};

/// A named value of the file, as text: versions, and keys without a field of their own.
struct MetadataEntry {
  std::string key;
  std::string json;  ///< the value's JSON text
  friend bool operator==(const MetadataEntry&, const MetadataEntry&) = default;
};

struct TraceMetadata {
  std::vector<DeviceProperties> devices;
  std::optional<Distributed> distributed;
  std::optional<std::int64_t> base_time_ns;
  std::string display_time_unit;  ///< for display only: times in the file are microseconds whatever it says
  std::optional<bool> record_shapes;
  std::optional<bool> with_stack;
  std::optional<bool> with_modules;
  std::optional<bool> with_flops;
  std::optional<bool> profile_memory;
  std::optional<bool> graphs_annotated_inline;  ///< `cudaGraphInlineAnnotated`
  std::string host_name;
  std::vector<MetadataEntry> versions;  ///< every scalar key that ends in `version`, in file order
  std::vector<MetadataEntry> entries;  ///< all top-level keys but traceEvents, in file order; the last of equals counts
  friend bool operator==(const TraceMetadata&, const TraceMetadata&) = default;
};
}  // namespace kinetoscope
