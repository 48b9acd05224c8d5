#pragma once

// What the names of a trace's annotations say of steps, each distinct name read once.

#include <deque>

#include "core/base/huge_array.hpp"
#include "core/trace/trace.hpp"
#include "core/names/step_annotations.hpp"

namespace kinetoscope {

class StepLabels {
 public:
  /// Keeps a reference to `trace`.
  explicit StepLabels(const Trace& trace) : trace_(&trace), slots_(trace.names_count(), unread) {}
  /// nullptr for a name of no grammar. Valid as long as this object.
  [[nodiscard]] const names::StepAnnotation* of(NameId name) {
    if (name == no_name) return nullptr;
    std::uint32_t& slot = slots_[index_of(name)];
    if (slot == unread) {
      slot = none;
      if (auto label = names::parse_step_annotation(trace_->text(name))) {
        slot = static_cast<std::uint32_t>(labels_.size());
        labels_.push_back(std::move(*label));
      }
    }
    return slot == none ? nullptr : &labels_[slot];
  }

 private:
  static constexpr std::uint32_t unread = 0xffff'ffff;
  static constexpr std::uint32_t none = 0xffff'fffe;
  const Trace* trace_;
  HugeArray<std::uint32_t> slots_;  // by name
  std::deque<names::StepAnnotation> labels_;
};
}  // namespace kinetoscope
