#pragma once

// What of a trace a scope selects: GPU work, host calls and host time.
//
//  - Steps, phases and annotations select what the annotation's process launched during it, on any thread, and the host
//    calls that began during it. Steps known from device annotations alone have no host calls.
//  - Modules select calls below the module's call, what these launched, and GPU work that names the module itself
//    (`module_fqn`). What a module's backward pass launches is not below its call.
//  - Devices and streams select GPU work only: host calls have none, and all stay.
//  - Windows select what begins in them, GPU work by its own time.
// GPU work that no call launched is only in scopes of devices, streams and windows, and in the whole. Cost: O(events +
// nodes), for host calls times log(steps).

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/diagnostics.hpp"
#include "core/base/interval_set.hpp"
#include "core/tree/call_tree.hpp"
#include "core/tree/scope.hpp"
#include "core/tree/steps.hpp"

namespace kinetoscope {

class ScopeSelection {
 public:
  ScopeSelection(std::vector<EventId> gpu_events, std::vector<bool> nodes, IntervalSet host_time,
                 Diagnostics diagnostics)
      : gpu_events_(std::move(gpu_events)),
        nodes_(std::move(nodes)),
        host_time_(std::move(host_time)),
        diagnostics_(std::move(diagnostics)) {}

  /// In file order.
  [[nodiscard]] std::span<const EventId> gpu_events() const noexcept { return gpu_events_; }
  /// Of the tree that was selected from.
  [[nodiscard]] bool contains(NodeId node) const noexcept { return nodes_[index_of(node)]; }
  /// When the host was in the scope; for the whole, from the trace's first event to the end of its last.
  [[nodiscard]] const IntervalSet& host_time() const noexcept { return host_time_; }
  /// What the scope asks for beyond what there is.
  [[nodiscard]] const Diagnostics& diagnostics() const noexcept { return diagnostics_; }

 private:
  std::vector<EventId> gpu_events_;
  std::vector<bool> nodes_;
  IntervalSet host_time_;
  Diagnostics diagnostics_;
};

/// `steps` are those of Steps::steps(). Throws Error scope_matches_nothing, naming the condition that nothing fulfils
/// and what there is instead, or the one that leaves nothing of what those before it select; its input is empty, for
/// the caller to fill in.
[[nodiscard]] ScopeSelection select(const Scope& scope, const CallTree& tree, std::span<const Step> steps);

/// From the first begin to the last end of host calls, annotations and GPU work: what windows count from, and the host
/// time of the whole. {0, 0} for a trace without any. O(events).
[[nodiscard]] Interval recorded_time(const Trace& trace);
}  // namespace kinetoscope
