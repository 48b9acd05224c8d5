#pragma once

// A scope: which part of a trace a question is about. The one grammar behind every `--scope` and `scope` argument.
//
//   all                      the whole trace
//   step:3   step:3-5        steps by their position in order of time, from 0, as `kinetoscope info` lists them
//   ProfilerStep#12          steps and host annotations of this name, as is any text without a key; annotation:NAME is
//   step[DECODE*             the same for names that begin like a condition
//   phase:decode             steps by what an inference engine did in them: prefill, decode, mixed, idle
//   module:Linear            calls of modules: class (Linear), numbered class (Linear_3), or qualified name
//                            (layers.0.mlp)
//   device:0   stream:7      GPU work by device and physical stream
//   window:1.2ms-3.4ms       what begins in this time since the trace's first event; units ns, us, ms, s
//
// In names `*` stands for any characters and `?` for one. Conditions joined by `,` must all hold; a name that holds a
// comma is written with `?` in its place.

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/interval_set.hpp"
#include "core/names/step_annotations.hpp"

namespace kinetoscope {

/// `step:`: positions in Steps::steps(), the last included.
struct StepRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  friend bool operator==(const StepRange&, const StepRange&) = default;
};
/// `annotation:` or no key.
struct AnnotationName {
  std::string pattern;
  friend bool operator==(const AnnotationName&, const AnnotationName&) = default;
};
/// `phase:`.
struct PhaseOfSteps {
  names::StepPhase phase = names::StepPhase::unknown;
  friend bool operator==(const PhaseOfSteps&, const PhaseOfSteps&) = default;
};
/// `module:`.
struct ModuleName {
  std::string pattern;
  friend bool operator==(const ModuleName&, const ModuleName&) = default;
};
/// `stream:`.
struct StreamNumber {
  std::int64_t stream = 0;
  friend bool operator==(const StreamNumber&, const StreamNumber&) = default;
};
/// `device:`.
struct DeviceNumber {
  std::int64_t device = 0;
  friend bool operator==(const DeviceNumber&, const DeviceNumber&) = default;
};
/// `window:`, since the trace's first event.
struct TimeWindow {
  Interval since_origin;
  friend bool operator==(const TimeWindow&, const TimeWindow&) = default;
};

using ScopeCondition =
    std::variant<StepRange, AnnotationName, PhaseOfSteps, ModuleName, StreamNumber, DeviceNumber, TimeWindow>;

/// All conditions hold; without any it is the whole trace.
struct Scope {
  std::vector<ScopeCondition> conditions;
  [[nodiscard]] bool is_whole() const noexcept { return conditions.empty(); }
  friend bool operator==(const Scope&, const Scope&) = default;
};

/// Longer scopes are refused.
inline constexpr std::size_t most_scope_bytes = 4096;

/// Throws Error scope_invalid, naming the condition at fault and what is accepted in its place. O(length).
[[nodiscard]] Scope parse_scope(std::string_view text);

/// A text that parse_scope() reads as the same scope: "all", "step:3-5,stream:7".
[[nodiscard]] std::string text_of(const Scope& scope);
[[nodiscard]] std::string text_of(const ScopeCondition& condition);
}  // namespace kinetoscope
