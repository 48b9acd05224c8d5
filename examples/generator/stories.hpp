#pragma once

// Traces that tell one thing about fitness: what may be concluded from them, and what must not. Each comes with the
// figures that make its point, by construction.

#include "examples/generator/scenarios.hpp"

namespace kinetoscope::examples {

/// 40 decode steps replay a graph; the profiler kept the kernels of 29. Idle time cannot be told.
[[nodiscard]] Generated under_recorded_graphs();

/// 32 steps, of which two have GPU events, and one kernel of 1.75 s is more than 99 % of the time.
[[nodiscard]] Generated dominated_window();

/// Inline annotations, packed node ids, and lanes: kernels of one hardware stream, each starting 1.5 us before its
/// predecessor ends, shown on lanes side by side. Whoever takes lanes for streams finds an overlap that never was.
[[nodiscard]] Generated moved_lanes();

/// Eager training with shapes, Python frames, modules and memory.
[[nodiscard]] Generated healthy_training();
[[nodiscard]] Generated training_without_stacks();
[[nodiscard]] Generated training_without_shapes();
}  // namespace kinetoscope::examples
