#pragma once

// Which host call launched which GPU work (product decision 3).
//
//  - A GPU event belongs to the runtime call with its correlation id, arrow or not; id 0 is no id.
//  - Calls that share an id (merged ranks): the k-th start arrow of the id pairs with the k-th end arrow in file order,
//    and an arrow's ends name call and GPU event by (pid, tid, ts); then the device decides that the calling process
//    owns through links without doubt; else the GPU event is ambiguous.
//  - GPU events that share an id: a graph launch owns all; any other call the one its arrow names, or the only one it
//    can have launched; the rest are ambiguous.
//  - Without correlation id: by the arrow that ends at the event; without that, by External id.
// Arrows between GPU events are dependencies of a graph. Cost: O(n) for n events; O(m log m) for m that share ids.

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/diagnostics.hpp"
#include "core/base/huge_array.hpp"
#include "core/trace/trace.hpp"
#include "core/tree/runtime_call_table.hpp"

namespace kinetoscope {

enum class LinkMethod : std::uint8_t {
  none,                    ///< unlinked
  correlation,             ///< one call, one id
  correlation_and_arrow,   ///< an id shared by several, told apart by arrows
  correlation_and_device,  ///< told apart by the device that the process owns
  flow,                    ///< no usable id: by the arrow
  external_id,             ///< neither: by the operator's id
};
[[nodiscard]] std::string_view spelling_of(LinkMethod method) noexcept;

enum class UnlinkedCause : std::uint8_t {
  none,                   ///< linked
  queued_before_window,   ///< its id is below that of every recorded call: launched before recording began
  launch_not_recorded,    ///< no call has its id
  ambiguous_correlation,  ///< several calls are possible
  no_identity,            ///< no correlation id, no arrow, no External id that leads anywhere
};
[[nodiscard]] std::string_view spelling_of(UnlinkedCause cause) noexcept;

struct GpuLink {
  EventId launch = no_event;
  LinkMethod method = LinkMethod::none;
  UnlinkedCause cause = UnlinkedCause::no_identity;
  friend bool operator==(const GpuLink&, const GpuLink&) = default;
};

/// `to` cannot start before `from` has ended: nodes of one graph.
struct KernelEdge {
  EventId from = no_event;
  EventId to = no_event;
  friend bool operator==(const KernelEdge&, const KernelEdge&) = default;
};

struct LaunchLinks {
  HugeArray<GpuLink> links;  ///< one for each of Trace::gpu_events(), in that order
  std::vector<KernelEdge> edges;
};

/// Counts what it found (ambiguous, unlinked, linked without arrow, arrows that disagree) in `diagnostics`.
[[nodiscard]] LaunchLinks link_launches(const Trace& trace, const RuntimeCallTable& calls, Diagnostics& diagnostics);
}  // namespace kinetoscope
