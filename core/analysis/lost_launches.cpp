#include "core/analysis/lost_launches.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/interval_set.hpp"

namespace kinetoscope::analysis {
namespace {

void keep_longest(std::optional<std::int64_t>& longest_ns, std::int64_t length_ns) {
  longest_ns = std::max(longest_ns.value_or(0), length_ns);
}

/// Linked GPU events are sorted by their launch, so a replay is a run of them.
void measure_longest(const CallTree& tree, LostLaunches& out) {
  const Trace& trace = tree.trace();
  std::vector<Interval> replay;
  const auto end_replay = [&] {
    if (!replay.empty()) keep_longest(out.longest_replay_ns, IntervalSet(std::exchange(replay, {})).total_ns());
  };
  NodeId current = no_node;
  for (const EventId event : tree.linked_gpu_events()) {
    const NodeId launch = tree.launch(event);
    if (launch != current) end_replay();
    current = launch;
    const std::optional<Interval> extent = trace.extent(event);
    if (!extent) continue;
    if (tree.runtime_call(launch) == names::RuntimeCall::graph_launch) {
      replay.push_back(*extent);
    } else {
      keep_longest(out.longest_kernel_ns, extent->end_ns - extent->begin_ns);
    }
  }
  end_replay();
}

/// What is left of `idle_ns` when `count` pieces of work of `each_ns` ran in it; nothing when their length is unknown.
std::int64_t without_lost(std::int64_t idle_ns, std::uint64_t count, std::optional<std::int64_t> each_ns) {
  if (count == 0) return idle_ns;
  if (!each_ns) return 0;
  if (*each_ns > 0 && count > static_cast<std::uint64_t>(idle_ns / *each_ns)) return 0;
  return idle_ns - static_cast<std::int64_t>(count) * *each_ns;
}
}  // namespace

LostLaunches find_lost_launches(const CallTree& tree, const GpuPopulation& all) {
  LostLaunches out;
  const LaunchCounts& counts = tree.launches();
  out.launches = counts.total - counts.captured;
  out.lost = counts.without_kernel;
  out.graph_launches = counts.graph_launches;
  out.lost_graph_launches = counts.graph_launches_without_kernel;
  measure_longest(tree, out);
  out.idle_upper_ns = all.idle_ns;
  out.idle_lower_ns = without_lost(all.idle_ns, out.lost_graph_launches, out.longest_replay_ns);
  out.idle_lower_ns = without_lost(out.idle_lower_ns, out.lost - out.lost_graph_launches, out.longest_kernel_ns);
  return out;
}
}  // namespace kinetoscope::analysis
