#pragma once

// What kind of recording a trace is: how its GPU work was put on devices decides what can be said of it.

#include <cstdint>
#include <string_view>

#include "core/tree/call_tree.hpp"

namespace kinetoscope::analysis {

enum class TraceKind : std::uint8_t {
  eager,                   ///< kernels are launched one by one
  graph_replay,            ///< graphs are launched: who ordered a kernel inside is not recorded
  graph_replay_annotated,  ///< the same, and the profiler wrote into each kernel what it was captured from
  capture,                 ///< launches were recorded into graphs, not run
  gpu_only,                ///< GPU work without a single operator
  cpu_only,                ///< no GPU work
};
[[nodiscard]] std::string_view spelling_of(TraceKind kind) noexcept;
/// The first of capture, cpu_only, graph replay, gpu_only that holds, else eager. A trace with GPU work is a capture
/// when most of its launches were captured and no graph was launched.
[[nodiscard]] TraceKind kind_of_trace(const CallTree& tree);
}  // namespace kinetoscope::analysis
