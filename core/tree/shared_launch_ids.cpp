#include "core/tree/shared_launch_ids.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "core/tree/diagnostics.hpp"
#include "core/tree/event_places.hpp"

namespace kinetoscope {
namespace {

/// A process's launches of one id: only a single one can be told.
struct ProcessLaunches {
  EventId first = no_event;
  std::size_t count = 0;
};
}  // namespace

bool SharedIdLinker::owns_all(EventId launch, std::span<const WorkOrdinal> work) const {
  return calls_.of(launch) == names::RuntimeCall::graph_launch || std::ranges::any_of(work, [&](WorkOrdinal ordinal) {
           return trace_.identifier(table_.event(ordinal), Argument::graph_node_id).has_value() ||
                  trace_.identifier(table_.event(ordinal), Argument::graph_id).has_value();
         });
}

/// Calls inside one another on one thread that share an id are one launch, the outermost.
std::vector<EventId> SharedIdLinker::outermost(std::vector<EventId> launches) const {
  std::ranges::stable_sort(launches, [&](EventId left, EventId right) {
    return std::tuple(trace_.track(left), trace_.begin_ns(left), trace_.duration_ns(right)) <
           std::tuple(trace_.track(right), trace_.begin_ns(right), trace_.duration_ns(left));
  });
  std::vector<EventId> out;
  for (const EventId launch : launches) {
    if (!out.empty() && trace_.track(out.back()) == trace_.track(launch)) {
      const auto outer = trace_.extent(out.back());
      const auto inner = trace_.extent(launch);
      if (outer && inner && inner->begin_ns >= outer->begin_ns && inner->end_ns <= outer->end_ns) continue;
    }
    out.push_back(launch);
  }
  return out;
}

void SharedIdLinker::link(std::int64_t id) {
  const std::vector<WorkOrdinal> work = values(ids_.work, id);
  const std::vector<EventId> launches = outermost(values(ids_.launches, id));
  for (const WorkOrdinal ordinal : work) table_.set_cause(ordinal, UnlinkedCause::ambiguous_correlation);
  if (launches.size() > 1) diagnostics_.add(tree_diagnostics::correlation_collision, {}, launches.size());
  link_by_arrow_order(id, launches, work);
  if (launches.size() == 1 && owns_all(launches.front(), work)) {
    for (const WorkOrdinal ordinal : work) {
      if (!table_.is_linked(ordinal)) table_.link(ordinal, launches.front(), LinkMethod::correlation);
    }
    return;
  }
  link_by_device(launches, work);
}

void SharedIdLinker::link_by_arrow_order(std::int64_t id, const std::vector<EventId>& launches,
                                         const std::vector<WorkOrdinal>& work) {
  const std::vector<EventId> starts = values(ids_.arrow_starts, id);
  const std::vector<EventId> ends = values(ids_.arrow_ends, id);
  const EventPlaces launch_places(trace_, launches);
  std::vector<EventId> gpu_events;
  gpu_events.reserve(work.size());
  for (const WorkOrdinal ordinal : work) gpu_events.push_back(table_.event(ordinal));
  const EventPlaces work_places(trace_, gpu_events);
  std::vector<bool> has_work(launches.size(), false);
  for (std::size_t k = 0; k < std::min(starts.size(), ends.size()); ++k) {
    const auto launch = launch_places.at_start_of(starts[k]);
    const auto target = work_places.at_start_of(ends[k]);
    if (!launch || !target || table_.is_linked(work[*target]) || has_work[*launch]) continue;
    table_.link(work[*target], launches[*launch], LinkMethod::correlation_and_arrow);
    has_work[*launch] = true;
  }
}

/// What arrows left: a call can have launched what runs on the device its process owns, or on any device that nobody
/// owns when it is the only call of the id, and not before the call began.
void SharedIdLinker::link_by_device(const std::vector<EventId>& launches, const std::vector<WorkOrdinal>& work) {
  std::map<std::size_t, ProcessLaunches> by_process;
  for (const EventId launch : launches) {
    ProcessLaunches& own = by_process[table_.process_of(launch)];
    if (own.count++ == 0) own.first = launch;
  }
  const auto only_launch = [&](EventId event) {
    const DeviceOwner* const owner = table_.owner_of_device(event);
    if (owner == nullptr) return launches.size() == 1 ? launches.front() : no_event;
    const auto own = by_process.find(owner->process);
    const bool is_told = !owner->is_shared && own != by_process.end() && own->second.count == 1;
    return is_told ? own->second.first : no_event;
  };
  std::map<EventId, std::vector<WorkOrdinal>>
      possible;  // the work that a call, the only possible one, may have launched
  std::vector<EventId> busy;
  for (const WorkOrdinal ordinal : work) {
    if (table_.is_linked(ordinal)) {
      busy.push_back(table_[ordinal].launch);
      continue;
    }
    const EventId launch = only_launch(table_.event(ordinal));
    if (launch == no_event || trace_.begin_ns(table_.event(ordinal)) < trace_.begin_ns(launch)) continue;
    possible[launch].push_back(ordinal);
  }
  std::ranges::sort(busy);
  for (const auto& [launch, ordinals] : possible) {
    const bool takes_all = owns_all(launch, ordinals);
    if (!takes_all && (ordinals.size() > 1 || std::ranges::binary_search(busy, launch))) continue;
    for (const WorkOrdinal ordinal : ordinals) table_.link(ordinal, launch, LinkMethod::correlation_and_device);
  }
}
}  // namespace kinetoscope
