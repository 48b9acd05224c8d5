#include "core/tree/link_findings.hpp"

#include <optional>
#include <utility>

#include "core/tree/diagnostics.hpp"
#include "core/tree/event_places.hpp"

namespace kinetoscope {
namespace {

/// Host and device clocks are aligned to about a microsecond.
constexpr std::int64_t launch_tolerance_ns = 1000;

class ArrowFollower {
 public:
  ArrowFollower(const Trace& trace, const LaunchIds& ids, const LinkTable& table, Diagnostics& diagnostics)
      : trace_(trace), ids_(ids), table_(table), diagnostics_(diagnostics) {}

  /// Arrows say who depends on whom, and whether they agree with the ids.
  std::vector<KernelEdge> follow() && {
    std::vector<bool> is_device_track(trace_.tracks().size(), false);
    for (const EventId event : trace_.gpu_events()) is_device_track[index_of(trace_.track(event))] = true;
    std::vector<EventId> all;
    std::optional<EventPlaces> places;  // built for the first arrow between GPU events
    for (std::size_t i = 0; i < trace_.size(); ++i) {
      const auto arrow = id_at<EventId>(i);
      if (trace_.role(arrow) != Role::launch_arrow || trace_.phase(arrow) != Phase::flow_start) continue;
      const std::uint32_t end = ids_.arrow_ends.first(trace_.arrow_id(arrow));
      if (!is_device_track[index_of(trace_.track(arrow))]) {
        compare_with_ids(arrow, end);
      } else if (end != IdTable<EventId>::none) {
        if (!places) {
          all.assign(trace_.gpu_events().begin(), trace_.gpu_events().end());
          places.emplace(trace_, all);
        }
        const auto from = places->around_start_of(arrow);
        const auto to = places->at_start_of(ids_.arrow_ends.value(end));
        if (from && to && *from != *to) edges_.push_back({all[*from], all[*to]});
      }
    }
    return std::move(edges_);
  }

 private:
  void compare_with_ids(EventId start, std::uint32_t end) {
    const std::int64_t id = trace_.arrow_id(start);
    const std::uint32_t work = ids_.work.first(id);
    if (work == IdTable<WorkOrdinal>::none) return;
    if (ids_.work.next(work) != IdTable<WorkOrdinal>::none) return;  // of several, an arrow names any one
    const GpuLink& found = table_[ids_.work.value(work)];
    // Linked by the arrow itself, or one of several: nothing to compare.
    const std::uint32_t launch = ids_.launches.first(id);
    if (found.launch == no_event || launch == IdTable<EventId>::none) return;
    if (ids_.launches.next(launch) != IdTable<EventId>::none) return;
    const bool starts_there =
        trace_.track(found.launch) == trace_.track(start) && trace_.begin_ns(found.launch) == trace_.begin_ns(start);
    const EventId target = table_.event(ids_.work.value(work));
    const bool ends_there =
        end == IdTable<EventId>::none || (trace_.track(ids_.arrow_ends.value(end)) == trace_.track(target) &&
                                          trace_.begin_ns(ids_.arrow_ends.value(end)) == trace_.begin_ns(target));
    if (!starts_there) diagnostics_.add(tree_diagnostics::flow_disagrees);
    if (!ends_there) diagnostics_.add(tree_diagnostics::flow_target_missing);
  }

  const Trace& trace_;
  const LaunchIds& ids_;
  const LinkTable& table_;
  Diagnostics& diagnostics_;
  std::vector<KernelEdge> edges_;
};

class LinkCounter {
 public:
  LinkCounter(const Trace& trace, const RuntimeCallTable& calls, const LaunchIds& ids, const LinkTable& table,
              Diagnostics& diagnostics)
      : trace_(trace), calls_(calls), ids_(ids), table_(table), diagnostics_(diagnostics) {}

  void count() {
    const bool has_launches = !ids_.launches.empty();
    for (WorkOrdinal i = 0; i < table_.size(); ++i) {
      const GpuLink& found = table_[i];
      const EventId event = table_.event(i);
      if (found.cause == UnlinkedCause::ambiguous_correlation) {
        diagnostics_.add(tree_diagnostics::ambiguous_correlation);
      } else if (found.launch == no_event) {
        // Without any launch there is one population: all GPU work (decision 4).
        if (has_launches) diagnostics_.add(tree_diagnostics::unlinked_kernel);
      } else {
        count_link(found, event);
      }
    }
  }

 private:
  void count_link(const GpuLink& found, EventId event) {
    if (found.method == LinkMethod::flow) diagnostics_.add(tree_diagnostics::linked_by_flow);
    if (found.method == LinkMethod::external_id) diagnostics_.add(tree_diagnostics::linked_by_external_id);
    const bool is_graph = calls_.of(found.launch) == names::RuntimeCall::graph_launch;
    if (is_graph) diagnostics_.add(tree_diagnostics::graph_replayed_kernels);
    const std::int64_t id = trace_.integer(event, Argument::correlation).value_or(0);
    const bool has_arrow =
        ids_.arrow_starts.first(id) != IdTable<EventId>::none && ids_.arrow_ends.first(id) != IdTable<EventId>::none;
    if (id != 0 && !is_graph && !has_arrow) {
      diagnostics_.add(tree_diagnostics::linked_without_flow);
    }
    const std::int64_t begin_ns = trace_.begin_ns(event);
    const bool is_timed = trace_.extent(event).has_value() && trace_.begin_ns(found.launch) != unknown_time_ns;
    if (is_timed && begin_ns < trace_.begin_ns(found.launch) - launch_tolerance_ns) {
      diagnostics_.add(tree_diagnostics::kernel_before_launch);
    }
  }

  const Trace& trace_;
  const RuntimeCallTable& calls_;
  const LaunchIds& ids_;
  const LinkTable& table_;
  Diagnostics& diagnostics_;
};
}  // namespace

std::vector<KernelEdge> follow_arrows(const Trace& trace, const LaunchIds& ids, const LinkTable& table,
                                      Diagnostics& diagnostics) {
  return ArrowFollower(trace, ids, table, diagnostics).follow();
}

void count_links(const Trace& trace, const RuntimeCallTable& calls, const LaunchIds& ids, const LinkTable& table,
                 Diagnostics& diagnostics) {
  LinkCounter(trace, calls, ids, table, diagnostics).count();
}
}  // namespace kinetoscope
