#include "core/tree/launch_ids.hpp"

#include <algorithm>
#include <utility>

namespace kinetoscope {

LaunchIds::LaunchIds(const Trace& trace) {
  HugeArray<IdTable<EventId>::Entry> launches_found;
  HugeArray<IdTable<EventId>::Entry> starts_found;
  HugeArray<IdTable<EventId>::Entry> ends_found;
  HugeArray<IdTable<WorkOrdinal>::Entry> work_found;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const auto event = id_at<EventId>(i);
    const Role role = trace.role(event);
    if (role == Role::runtime_call) {
      const std::int64_t id = trace.integer(event, Argument::correlation).value_or(0);
      if (id == 0) continue;
      launches_found.push_back({id, event});
      smallest_launch_id = std::min(smallest_launch_id.value_or(id), id);
    } else if (role == Role::launch_arrow && trace.arrow_id(event) != 0) {
      if (trace.phase(event) == Phase::flow_start) starts_found.push_back({trace.arrow_id(event), event});
      if (trace.phase(event) == Phase::flow_end) ends_found.push_back({trace.arrow_id(event), event});
    }
  }
  for (WorkOrdinal i = 0; i < trace.gpu_events().size(); ++i) {
    const std::int64_t id = trace.integer(trace.gpu_events()[i], Argument::correlation).value_or(0);
    if (id != 0) work_found.push_back({id, i});
  }
  HugeArray<IdTable<EventId>::Entry> scratch;
  launches = {std::move(launches_found), scratch};
  arrow_starts = {std::move(starts_found), scratch};
  arrow_ends = {std::move(ends_found), scratch};
  HugeArray<IdTable<WorkOrdinal>::Entry> work_scratch;
  work = {std::move(work_found), work_scratch};
}
}  // namespace kinetoscope
