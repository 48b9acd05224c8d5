#pragma once

// Correlation ids that several calls or several GPU events share: arrows tell them apart, then devices, else the work
// is ambiguous. Which id is shared, and when these are looked at, is launch_links.cpp's.

#include <span>
#include <vector>

#include "core/base/diagnostics.hpp"
#include "core/tree/launch_ids.hpp"
#include "core/tree/link_table.hpp"
#include "core/tree/runtime_call_table.hpp"

namespace kinetoscope {

class SharedIdLinker {
 public:
  /// All must outlive this.
  SharedIdLinker(const Trace& trace, const RuntimeCallTable& calls, const LaunchIds& ids, LinkTable& table,
                 Diagnostics& diagnostics)
      : trace_(trace), calls_(calls), ids_(ids), table_(table), diagnostics_(diagnostics) {}

  /// The call is a graph's launch, or the work says that a graph launched it: all work of the id is its own.
  [[nodiscard]] bool owns_all(EventId launch, std::span<const WorkOrdinal> work) const;
  /// Links what can be told apart of an id. O(m log m) for m calls and GPU events.
  void link(std::int64_t id);

 private:
  [[nodiscard]] std::vector<EventId> outermost(std::vector<EventId> launches) const;
  void link_by_arrow_order(std::int64_t id, const std::vector<EventId>& launches, const std::vector<WorkOrdinal>& work);
  void link_by_device(const std::vector<EventId>& launches, const std::vector<WorkOrdinal>& work);

  const Trace& trace_;
  const RuntimeCallTable& calls_;
  const LaunchIds& ids_;
  LinkTable& table_;
  Diagnostics& diagnostics_;
};
}  // namespace kinetoscope
