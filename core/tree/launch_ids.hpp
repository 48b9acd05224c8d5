#pragma once

// Who has which id: runtime calls and GPU work by correlation id, ends of launch arrows by the arrow's. Id 0 is no id.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/id_table.hpp"
#include "core/trace/trace.hpp"

namespace kinetoscope {

/// A position in Trace::gpu_events().
using WorkOrdinal = std::uint32_t;

struct LaunchIds {
  /// O(events).
  explicit LaunchIds(const Trace& trace);

  IdTable<EventId> launches;
  IdTable<EventId> arrow_starts;
  IdTable<EventId> arrow_ends;
  IdTable<WorkOrdinal> work;
  std::optional<std::int64_t> smallest_launch_id;
};

/// All of an id, in file order.
template <typename T>
[[nodiscard]] std::vector<T> values(const IdTable<T>& table, std::int64_t id) {
  std::vector<T> out;
  for (std::uint32_t at = table.first(id); at != IdTable<T>::none; at = table.next(at)) {
    out.push_back(table.value(at));
  }
  return out;
}
}  // namespace kinetoscope
