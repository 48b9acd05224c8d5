#pragma once

// What events can be told apart by: the fields that event queries filter, group and sort by. Each field of an event is
// a small number that compares fast, and has a text for people and patterns.
//
// GPU work has the thread, module and operator of the call that launched it, and the step that it was launched in; host
// events have their own. Cost: O(nodes) once where modules are asked for; each distinct kernel name is classified once.

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/dense_ids.hpp"
#include "core/base/group_index.hpp"
#include "core/base/huge_array.hpp"
#include "core/names/kernel_names.hpp"
#include "core/names/spelled.hpp"
#include "core/tree/call_tree.hpp"
#include "core/tree/innermost_ranges.hpp"
#include "core/tree/processes.hpp"
#include "core/tree/steps.hpp"
#include "core/perf_model/operator_registry.hpp"
#include "core/analysis/operator_categories.hpp"

namespace kinetoscope::analysis {

enum class EventField : std::uint8_t {
  name,
  role,                ///< kernel, copy, fill, operator_call, ...
  category,            ///< of the operator, as the tables have it
  kernel_kind,         ///< what the kernel's name says that it does
  library,             ///< that ships the kernel
  device,              ///< number of the device
  stream,              ///< the device's number for the physical stream
  thread,              ///< "pid/tid" of the call, of GPU work of its launch
  step,                ///< position in order of time, from 0
  phase,               ///< of the step: prefill_only, decode_only, ...
  launching_operator,  ///< the operator that launched the work; of host calls the nearest operator around them
  module,              ///< the nearest module call around, "Linear_3"; a qualified name where kernels bear it
  link_method,         ///< how GPU work was linked to its launch
};
inline constexpr std::array event_fields = {
    names::Spelled{EventField::name, "name"},
    names::Spelled{EventField::role, "role"},
    names::Spelled{EventField::category, "category"},
    names::Spelled{EventField::kernel_kind, "kernel_kind"},
    names::Spelled{EventField::library, "library"},
    names::Spelled{EventField::device, "device"},
    names::Spelled{EventField::stream, "stream"},
    names::Spelled{EventField::thread, "thread"},
    names::Spelled{EventField::step, "step"},
    names::Spelled{EventField::phase, "phase"},
    names::Spelled{EventField::launching_operator, "launching_operator"},
    names::Spelled{EventField::module, "module"},
    names::Spelled{EventField::link_method, "link_method"},
};
static_assert(names::follows_enum(event_fields, EventField::link_method));
[[nodiscard]] constexpr std::string_view spelling_of(EventField field) noexcept {
  return event_fields[static_cast<std::size_t>(field)].spelling;
}

/// Remembers what it looked up: one thread at a time.
class EventFields {
 public:
  /// All must outlive this.
  EventFields(const CallTree& tree, const Steps& steps, const perf_model::OperatorRegistry& registry);

  /// Equal for equal values of one field; no_id where the event has none.
  [[nodiscard]] std::uint32_t value(EventField field, EventId event);
  /// Of a value that value() gave; absent for no_id.
  [[nodiscard]] std::optional<std::string> text(EventField field, std::uint32_t value) const;
  /// Numbers by size, texts by their bytes, and no_id behind all.
  [[nodiscard]] std::strong_ordering compare(EventField field, std::uint32_t one, std::uint32_t other) const;

 private:
  [[nodiscard]] NodeId call_of(EventId event) const noexcept;
  [[nodiscard]] std::uint32_t category_of(EventId event);
  [[nodiscard]] const names::KernelTraits* traits_of(EventId event);
  [[nodiscard]] std::uint32_t device_of(EventId event);
  [[nodiscard]] std::uint32_t stream_of(EventId event);
  [[nodiscard]] std::uint32_t thread_of(EventId event) const;
  [[nodiscard]] StepId step_of(EventId event) const;
  [[nodiscard]] NameId operator_around(EventId event) const;
  [[nodiscard]] NameId module_around(EventId event);
  /// Of fields whose texts need not be made.
  [[nodiscard]] std::string_view view(EventField field, std::uint32_t value) const;
  /// Of fields that are numbers.
  [[nodiscard]] std::optional<std::int64_t> number(EventField field, std::uint32_t value) const;

  const CallTree* tree_;
  const Trace* trace_;
  const Steps* steps_;
  const perf_model::OperatorRegistry* registry_;
  OperatorCategories categories_;
  Processes processes_;
  std::vector<InnermostRanges> steps_of_processes_;
  std::vector<std::string> threads_;                        // by track
  std::vector<std::optional<names::KernelTraits>> traits_;  // by name; empty until asked
  HugeArray<NodeId> modules_;                               // by node; empty until asked
  DenseIds<std::int64_t> devices_;
  DenseIds<std::int64_t> streams_;
};
}  // namespace kinetoscope::analysis
