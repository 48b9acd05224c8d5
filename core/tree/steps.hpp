#pragma once

// The steps (iterations) of a trace, and the GPU work of each.
//
// A step is a host annotation that a grammar of core/names knows. Detailed annotations of serving engines win over
// native ones, those over the profiler's own ProfilerStep; the kinds never mix. A trace without host annotations has
// the steps of its device annotations. GPU work belongs to the step in which the process launched it, on whatever
// thread (backward runs on its own), not to the step whose projection onto the device it lies in: where the two differ,
// that is counted. Of steps around one launch the one that began last has it. Work queued before the window, or
// launched between steps, belongs to none. Cost: O(n log s) for n events and s steps.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/diagnostics.hpp"
#include "core/names/step_annotations.hpp"
#include "core/tree/call_tree.hpp"

namespace kinetoscope {

struct Step {
  EventId annotation = no_event;
  names::StepAnnotation label;
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
  /// The window may have cut it: the profiler never saw its end, it reaches beyond the recording's own bounds, or it is
  /// the first or last of its kind and much shorter than the others.
  bool may_be_cut = false;
  std::vector<EventId> gpu_events;  ///< launched in this step, in file order
  /// How long GPU work ran that lies in the annotation's projection onto the device; absent without a projection.
  std::optional<std::int64_t> annotated_gpu_time_ns;
};

class Steps {
 public:
  /// `tree` must outlive the steps only for this call.
  [[nodiscard]] static Steps find(const CallTree& tree);

  /// In order of time, then of file.
  [[nodiscard]] std::span<const Step> steps() const noexcept { return steps_; }
  /// The step that GPU work belongs to; no_step without.
  [[nodiscard]] StepId step_of(EventId gpu_event) const noexcept;
  /// Host annotations that look like steps and fit no grammar, distinct names in order of appearance.
  [[nodiscard]] std::span<const NameId> unmatched() const noexcept { return unmatched_; }
  [[nodiscard]] const Diagnostics& diagnostics() const noexcept { return diagnostics_; }

 private:
  std::vector<Step> steps_;
  SparseColumn<EventId, StepId> step_of_event_;
  std::vector<NameId> unmatched_;
  Diagnostics diagnostics_;
};
}  // namespace kinetoscope
