#pragma once

// Step annotations as the profiler projects them onto devices (`gpu_user_annotation`): one a stream on which the
// annotated thread launched work, from its first kernel to its last. Work of other threads is not in it, so it says
// less than the launches do; where there is no host annotation, it is all there is.
//
// A projection belongs to the step with its name and External id; without ids, the k-th of a name on its stream to the
// k-th step of that name, where both are as many. GPU work lies in a projection of its own row that holds its start.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/tree/steps.hpp"

namespace kinetoscope {

/// Fills in Step::annotated_gpu_time_ns. `step_of` has the step of each of Trace::gpu_events(), by launch. How many
/// steps have a projection that covers other work than they launched. O(n log s + s log s).
std::uint64_t compare_with_projections(const Trace& trace, std::span<const StepId> step_of, std::vector<Step>& steps);

/// A step as one annotation, or several of the same name and id, have it.
struct AnnotatedSpan {
  EventId annotation = no_event;  ///< the first to start
  std::int64_t end_ns = 0;        ///< of the last to end
};
struct DeviceSteps {
  std::vector<AnnotatedSpan> spans;
  std::vector<std::pair<EventId, std::size_t>> members;  ///< each annotation, and its place in `spans`
};
/// The steps of a trace that has device annotations only: projections of one annotation onto several streams are one.
[[nodiscard]] DeviceSteps merge_device_steps(const Trace& trace, std::span<const EventId> annotations);
/// The step of each of Trace::gpu_events() by the projection it lies in. `steps` are those of `device`, sorted.
[[nodiscard]] std::vector<StepId> steps_by_projection(const Trace& trace, const DeviceSteps& device,
                                                      std::span<const Step> steps);
}  // namespace kinetoscope
