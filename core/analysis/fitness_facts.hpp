#pragma once

// Everything that fitness verdicts rest on, measured once for all nine questions.
// Cost: O(n log n) for n events.

#include <cstdint>
#include <optional>
#include <string>

#include "core/tree/call_tree.hpp"
#include "core/tree/steps.hpp"
#include "core/analysis/gpu_coverage.hpp"
#include "core/analysis/gpu_population.hpp"
#include "core/analysis/lost_launches.hpp"
#include "core/analysis/step_windows.hpp"
#include "core/analysis/time_outliers.hpp"
#include "core/analysis/trace_kind.hpp"

namespace kinetoscope::analysis {

/// Valid as long as the tree, whose Python frames must be in it, and the steps.
struct FitnessFacts {
  const CallTree& tree;
  const Trace& trace;
  const Steps& steps;
  TraceKind kind{};
  GpuPopulation all{};
  GpuPopulation linked{};
  GpuCoverage coverage{};
  LostLaunches lost{};
  StepWindows windows{};
  std::optional<DominatingEvent> dominating{};
  std::optional<EarlyStrays> strays{};
  std::uint64_t suspect_events = 0;
  double suspect_share = 0;                ///< of all GPU time
  std::uint64_t device_memory_events = 0;  ///< allocations and releases on a device
  std::uint64_t host_memory_events = 0;
  std::uint64_t devices = 0;              ///< with GPU work
  std::uint64_t launching_processes = 0;  ///< several in a file merged of ranks
  std::optional<std::int64_t> world_size{};
  /// The version of HIP that is known to lose kernels of graphs; empty for any other.
  std::string faulty_hip{};
};

/// Launches whose work was lost, of those that ran.
[[nodiscard]] double lost_share(const LostLaunches& lost) noexcept;

[[nodiscard]] FitnessFacts gather_fitness_facts(const CallTree& tree, const Steps& steps, const GpuBuckets& buckets);
}  // namespace kinetoscope::analysis
