#pragma once

// Launches whose GPU work was not recorded, and between which bounds the true idle time then lies. As recorded, idle
// time is an upper bound: the lost work ran in it. For the lower bound each lost replay of a graph is taken to be as
// long as the longest recorded one, and each lost kernel as the longest recorded kernel, all of it in idle time; with
// none recorded to judge by, nothing is known to be idle.
// Cost: O(n log n) for n GPU events.

#include <cstdint>
#include <optional>

#include "core/tree/call_tree.hpp"
#include "core/analysis/gpu_population.hpp"

namespace kinetoscope::analysis {

/// graph_launches = with work + without. Captured launches are none: they did not run.
struct LostLaunches {
  std::uint64_t launches = 0;  ///< all that ran, graph launches among them
  std::uint64_t lost = 0;      ///< of them, those without recorded work, lost graph launches among them
  std::uint64_t graph_launches = 0;
  std::uint64_t lost_graph_launches = 0;
  std::optional<std::int64_t> longest_replay_ns;  ///< how long one graph launch kept the GPU busy
  std::optional<std::int64_t> longest_kernel_ns;  ///< of those launched by themselves
  std::int64_t idle_upper_ns = 0;
  std::int64_t idle_lower_ns = 0;
  friend bool operator==(const LostLaunches&, const LostLaunches&) = default;
};

/// `all` is the population of all GPU events.
[[nodiscard]] LostLaunches find_lost_launches(const CallTree& tree, const GpuPopulation& all);
}  // namespace kinetoscope::analysis
