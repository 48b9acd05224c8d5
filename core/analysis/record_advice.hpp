#pragma once

// How to record what a trace lacks: for each of five frameworks the exact lines, put together of what is needed
// (record_advice.json, which names its sources). A framework's frame of lines comes once, with the options of all needs
// in it, and lines that only one need has come behind.
// Cost: a few microseconds; the table is read at the first call. Threads: safe to call at once.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/names/spelled.hpp"

namespace kinetoscope::analysis {

/// What a trace may lack.
enum class RecordNeed : std::uint8_t {
  shapes,
  stacks,
  modules,
  memory,
  host_activities,
  device_activities,
  more_steps,
  steady_steps,
  graphs_off,
  graph_annotations,
  capture_traces,
  collectives,
  rocm_fix,
  short_window,
  sampling_off,
  step_annotations,
};
inline constexpr std::array record_needs = {
    names::Spelled{RecordNeed::shapes, "shapes"},
    names::Spelled{RecordNeed::stacks, "stacks"},
    names::Spelled{RecordNeed::modules, "modules"},
    names::Spelled{RecordNeed::memory, "memory"},
    names::Spelled{RecordNeed::host_activities, "host_activities"},
    names::Spelled{RecordNeed::device_activities, "device_activities"},
    names::Spelled{RecordNeed::more_steps, "more_steps"},
    names::Spelled{RecordNeed::steady_steps, "steady_steps"},
    names::Spelled{RecordNeed::graphs_off, "graphs_off"},
    names::Spelled{RecordNeed::graph_annotations, "graph_annotations"},
    names::Spelled{RecordNeed::capture_traces, "capture_traces"},
    names::Spelled{RecordNeed::collectives, "collectives"},
    names::Spelled{RecordNeed::rocm_fix, "rocm_fix"},
    names::Spelled{RecordNeed::short_window, "short_window"},
    names::Spelled{RecordNeed::sampling_off, "sampling_off"},
    names::Spelled{RecordNeed::step_annotations, "step_annotations"},
};
static_assert(names::follows_enum(record_needs, RecordNeed::step_annotations));

/// How to record a better trace with one framework.
struct RecordAdvice {
  std::string framework;           ///< "pytorch", "vllm", "sglang", "tensorrt_llm", "megatron"
  std::vector<std::string> lines;  ///< code or command lines, exact
  friend bool operator==(const RecordAdvice&, const RecordAdvice&) = default;
};

/// For all five frameworks, in the table's order; empty when nothing is needed. The order of `needs` does not matter.
[[nodiscard]] std::vector<RecordAdvice> record_advice(std::span<const RecordNeed> needs);
}  // namespace kinetoscope::analysis
