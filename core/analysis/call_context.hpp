#pragma once

// All that stands around one event, an operator, a launch, a Python frame or GPU work: who called it, from which module
// and source line, what it called and launched, what ran beside it, and with which arguments. Lists are ranked by GPU
// time and cut to stated limits. Everything owns its text.
// GPU work of calls is linked by definition. Cost: O(nodes + events).

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/wide_sum.hpp"
#include "core/tree/call_tree.hpp"
#include "core/tree/scope_selection.hpp"
#include "core/tree/steps.hpp"
#include "core/analysis/recorded_arguments.hpp"
#include "core/analysis/stream_neighbours.hpp"

namespace kinetoscope::analysis {

/// How much of each list is kept.
struct CallContextLimits {
  std::size_t ancestors = 32;
  std::size_t frames = 32;  ///< of the Python stack, the innermost
  std::size_t ranked = 10;  ///< of children, of siblings and of kernels
  std::size_t argument_bytes = 600;
};

struct CallSummary {
  EventId event = no_event;
  Role role{};
  std::string name;
  std::optional<std::int64_t> begin_ns;     ///< since the trace's first event (recorded_time)
  std::optional<std::int64_t> duration_ns;  ///< absent without a usable time
  WideSum gpu_ns = 0;                       ///< of GPU work its own, of calls what was launched below them
};

/// By GPU time, the longest first, then by event id.
struct RankedCalls {
  std::vector<CallSummary> calls;
  std::uint64_t total = 0;
};

/// How GPU work came to its operator (decision 17).
struct LaunchContext {
  LinkMethod method = LinkMethod::none;
  UnlinkedCause cause = UnlinkedCause::none;  ///< none where it is linked
  std::optional<CallSummary> launch;
  std::optional<CallSummary> launching_operator;  ///< absent where no operator is around the launch
  std::optional<std::int64_t> delay_ns;           ///< from the launch's start to the work's
};

/// busy_ns <= kernel_sum_ns.
struct KernelsBelow {
  std::uint64_t untimed = 0;
  WideSum kernel_sum_ns = 0;
  std::int64_t busy_ns = 0;  ///< some of it ran
  RankedCalls longest;       ///< its total is that of the GPU events
};

/// The other half of a forward and a backward call. `linked` is the event itself, or the nearest call around it that
/// has one.
struct Counterpart {
  EventId linked = no_event;
  bool is_backward = false;  ///< the counterpart is; else it is the forward call
  CallSummary call;
};

struct CallContext {
  CallSummary subject;
  std::optional<StepId> step;          ///< of GPU work, the step that launched it
  std::vector<CallSummary> ancestors;  ///< operators and runtime calls, the innermost first
  std::uint64_t ancestors_total = 0;
  std::vector<std::string> modules;       ///< around it, the outermost first; of GPU work that names its own, that
  std::vector<std::string> python_stack;  ///< the innermost frame first; empty when none was recorded
  std::uint64_t frames_total = 0;
  RankedCalls children;  ///< what it called, Python frames included
  RankedCalls siblings;  ///< what its caller called beside it; of GPU work, what its launcher launched beside it
  std::optional<LaunchContext> launch;  ///< of GPU work
  StreamNeighbours neighbours;          ///< of GPU work
  std::optional<CallSummary> previous;  ///< of neighbours
  std::optional<CallSummary> next;
  std::optional<KernelsBelow> kernels;  ///< of calls
  std::vector<RecordedArgument> arguments;
  std::vector<Counterpart> counterparts;
};

/// `event` is a call in the tree, or GPU work. Throws Error usage, argument "event", for anything else.
[[nodiscard]] CallContext call_context(const CallTree& tree, const Steps& steps, EventId event,
                                       const CallContextLimits& limits = {});

/// Those of a name in a scope: how many, and the one with the longest GPU time, the first of equals.
struct CallInstances {
  std::uint64_t count = 0;
  std::uint64_t distinct_names = 0;
  EventId longest = no_event;
};
/// `pattern` is a name, or a glob, of operators, runtime calls, Python frames and GPU work. O(events).
[[nodiscard]] CallInstances call_instances(const CallTree& tree, const ScopeSelection& selection,
                                           std::string_view pattern);
}  // namespace kinetoscope::analysis
