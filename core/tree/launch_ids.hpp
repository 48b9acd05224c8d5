#pragma once

// Who has which id: runtime calls and GPU work by correlation id, ends of launch arrows by the arrow's. Id 0 is no id.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/id_chains.hpp"
#include "core/trace/trace.hpp"

namespace kinetoscope {

/// A position in Trace::gpu_events().
using WorkOrdinal = std::uint32_t;

struct LaunchIds {
  /// O(events).
  explicit LaunchIds(const Trace& trace);

  IdChains<EventId> launches;
  IdChains<EventId> arrow_starts;
  IdChains<EventId> arrow_ends;
  IdChains<WorkOrdinal> work;
  std::optional<std::int64_t> smallest_launch_id;
};

/// All of an id, in file order.
template <typename T>
[[nodiscard]] std::vector<T> values(const IdChains<T>& chains, std::int64_t id) {
  std::vector<T> out;
  for (std::uint32_t at = chains.first(id); at != IdChains<T>::none; at = chains.next(at)) {
    out.push_back(chains.value(at));
  }
  return out;
}
}  // namespace kinetoscope
