#pragma once

// What each runtime call of a trace does, each distinct name looked at once.

#include "core/base/huge_array.hpp"
#include "core/trace/trace.hpp"
#include "core/names/runtime_calls.hpp"

namespace kinetoscope {

class RuntimeCallTable {
 public:
  /// O(events). Keeps a reference to `trace`.
  explicit RuntimeCallTable(const Trace& trace);
  /// Of an event of role runtime_call; unknown for any other.
  [[nodiscard]] names::RuntimeCall of(EventId event) const noexcept {
    const NameId name = trace_->name(event);
    if (name == no_name || trace_->role(event) != Role::runtime_call) return names::RuntimeCall::unknown;
    return by_name_[index_of(name)];
  }

 private:
  const Trace* trace_;
  HugeArray<names::RuntimeCall> by_name_;
};
}  // namespace kinetoscope
