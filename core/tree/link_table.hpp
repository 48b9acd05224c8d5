#pragma once

// The links of a trace's GPU work while they are being found, and what links without doubt say: which process owns
// which device.

#include <map>
#include <utility>

#include "core/base/huge_array.hpp"
#include "core/trace/trace.hpp"
#include "core/tree/launch_ids.hpp"
#include "core/tree/launch_links.hpp"
#include "core/tree/processes.hpp"

namespace kinetoscope {

/// Who launched the work of a device: one process, or several.
struct DeviceOwner {
  std::size_t process = 0;
  bool is_shared = false;
};

class LinkTable {
 public:
  /// Nothing is linked. `trace` must outlive this.
  explicit LinkTable(const Trace& trace) : trace_(&trace), processes_(trace) {
    links_.resize(trace.gpu_events().size());
  }

  [[nodiscard]] WorkOrdinal size() const noexcept { return static_cast<WorkOrdinal>(links_.size()); }
  [[nodiscard]] EventId event(WorkOrdinal ordinal) const noexcept { return trace_->gpu_events()[ordinal]; }
  [[nodiscard]] const GpuLink& operator[](WorkOrdinal ordinal) const noexcept { return links_[ordinal]; }
  [[nodiscard]] bool is_linked(WorkOrdinal ordinal) const noexcept { return links_[ordinal].launch != no_event; }
  [[nodiscard]] std::size_t process_of(EventId event) const noexcept { return processes_.of(event); }
  /// nullptr when no work of the event's device is linked without doubt. Valid until the next link().
  [[nodiscard]] const DeviceOwner* owner_of_device(EventId gpu_event) const {
    const auto found = owners_.find(device_of(gpu_event));
    return found == owners_.end() ? nullptr : &found->second;
  }

  void set_cause(WorkOrdinal ordinal, UnlinkedCause cause) { links_[ordinal].cause = cause; }
  void link(WorkOrdinal ordinal, EventId launch, LinkMethod method) {
    links_[ordinal] = {launch, method, UnlinkedCause::none};
    if (method != LinkMethod::correlation && method != LinkMethod::correlation_and_arrow) return;
    const std::size_t process = processes_.of(launch);
    const auto [owner, is_new] = owners_.try_emplace(device_of(event(ordinal)), DeviceOwner{process, false});
    if (!is_new && owner->second.process != process) owner->second.is_shared = true;
  }

  [[nodiscard]] HugeArray<GpuLink> take() && { return std::move(links_); }

 private:
  [[nodiscard]] std::int64_t device_of(EventId event) const {
    return trace_->streams()[index_of(trace_->stream(event))].device;
  }

  const Trace* trace_;
  Processes processes_;
  HugeArray<GpuLink> links_;
  std::map<std::int64_t, DeviceOwner> owners_;  // by device
};
}  // namespace kinetoscope
