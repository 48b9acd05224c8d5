#pragma once

// How much of the GPU's time comes with what a question needs: an operator, its shapes, Python frames, a module, the
// description of a collective. Time is durations added up, so a kernel counts once wherever it ran; untimed work counts
// as events only.
//
// Work of a backward call has the frames and modules of its forward call. What a graph replays has none of its
// launch's: the launch is the whole graph's. Cost: O(nodes + GPU events), a byte or two a node.

#include <array>
#include <cstdint>

#include "core/base/wide_sum.hpp"
#include "core/tree/call_tree.hpp"
#include "core/analysis/gpu_population.hpp"

namespace kinetoscope::analysis {

struct GpuShare {
  std::uint64_t events = 0;
  WideSum time_ns = 0;
  friend bool operator==(const GpuShare&, const GpuShare&) = default;
};

/// unlinked is the sum of by_cause. graph is linked or not; operators, frames and modules overlap.
struct GpuCoverage {
  GpuShare all;
  GpuShare unlinked;
  std::array<GpuShare, static_cast<std::size_t>(UnlinkedCause::no_identity) + 1> by_cause;
  GpuShare operators;        ///< launched below an operator
  GpuShare graph;            ///< replayed by a graph launch
  GpuShare annotated_graph;  ///< of it, with module_fqn or name on the kernel
  GpuShare frames;           ///< launched below a Python frame, or with module_fqn
  GpuShare modules;          ///< launched below a module's call, or with module_fqn
  GpuShare computation;      ///< all but copies and communication: what a roofline is for
  GpuShare shaped;           ///< of it, launched below an operator with its inputs' shapes
  GpuShare communication;
  GpuShare described;  ///< of it, with group size or elements, on the kernel or the operator
  friend bool operator==(const GpuCoverage&, const GpuCoverage&) = default;
};

[[nodiscard]] GpuCoverage measure_coverage(const CallTree& tree, const GpuBuckets& buckets);

/// Of `whole`'s time; of its events where nothing is timed; 0 of nothing.
[[nodiscard]] double share_of(const GpuShare& part, const GpuShare& whole) noexcept;
}  // namespace kinetoscope::analysis
