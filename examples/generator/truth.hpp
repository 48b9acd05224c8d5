#pragma once

// What a generated trace holds, known from its schedule and not read back from its text: the figures that a right
// importer must find. The arithmetic is one sweep over moments, apart from the product's interval algebra on purpose.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kinetoscope::examples {

enum class Work : std::uint8_t { computation, communication, memcpy };

/// One piece of GPU work as scheduled. Untimed work (no recorded time) counts, and takes part in no time.
struct GpuSlice {
  std::string name{};
  Work work = Work::computation;
  std::int64_t device = 0;
  std::int64_t stream = 0;  ///< the hardware stream
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
  bool is_linked = true;
  bool is_timed = true;
  std::optional<std::size_t> step{};  ///< the step that launched it
};

/// busy + idle == span; exposed communication is communication that no computation hides. Names as in `info --json`.
struct GpuFigures {
  std::int64_t events = 0;
  std::int64_t untimed = 0;
  std::int64_t kernel_sum_ns = 0;  ///< durations added up, copies included
  std::int64_t busy_ns = 0;
  std::int64_t span_ns = 0;
  std::int64_t idle_ns = 0;
  std::int64_t computation_ns = 0;
  std::int64_t communication_ns = 0;
  std::int64_t exposed_communication_ns = 0;
  std::int64_t memcpy_ns = 0;
  friend bool operator==(const GpuFigures&, const GpuFigures&) = default;
};

struct StepTruth {
  std::string name{};
  std::string phase{};  ///< prefill_only, prefilldecode, decode_only; empty for a training step
  std::int64_t gpu_events = 0;
  std::int64_t busy_ns = 0;
  friend bool operator==(const StepTruth&, const StepTruth&) = default;
};

/// A hardware stream and how many GPU events ran on it.
struct StreamTruth {
  std::int64_t device = 0;
  std::int64_t stream = 0;
  std::int64_t gpu_events = 0;
  friend bool operator==(const StreamTruth&, const StreamTruth&) = default;
};

struct Truth {
  std::string kind{};        ///< eager, graph_replay, graph_replay_annotated, graph_capture, gpu_only, cpu_only
  std::int64_t events = 0;   ///< elements of traceEvents
  std::int64_t kernels = 0;  ///< GPU events of category kernel
  GpuFigures gpu{};
  std::int64_t linked = 0;
  std::int64_t unlinked = 0;
  /// Calls that put work on a device: launches of kernels and graphs, asynchronous copies and fills.
  std::int64_t launches = 0;
  std::int64_t launches_without_kernel = 0;
  std::int64_t graph_launches = 0;
  std::int64_t graph_launches_without_kernel = 0;
  std::vector<StepTruth> steps{};
  std::vector<StreamTruth> streams{};  ///< by device, then stream
};

/// O(n log n).
[[nodiscard]] GpuFigures figures_of(std::span<const GpuSlice> slices);
[[nodiscard]] std::vector<StreamTruth> streams_of(std::span<const GpuSlice> slices);
}  // namespace kinetoscope::examples
