#include "core/tree/launch_ids.hpp"

#include <algorithm>

namespace kinetoscope {

LaunchIds::LaunchIds(const Trace& trace) {
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const auto event = id_at<EventId>(i);
    const Role role = trace.role(event);
    if (role == Role::runtime_call) {
      const std::int64_t id = trace.integer(event, Argument::correlation).value_or(0);
      if (id == 0) continue;
      launches.add(id, event);
      smallest_launch_id = std::min(smallest_launch_id.value_or(id), id);
    } else if (role == Role::launch_arrow && trace.arrow_id(event) != 0) {
      if (trace.phase(event) == Phase::flow_start) arrow_starts.add(trace.arrow_id(event), event);
      if (trace.phase(event) == Phase::flow_end) arrow_ends.add(trace.arrow_id(event), event);
    }
  }
  for (WorkOrdinal i = 0; i < trace.gpu_events().size(); ++i) {
    const std::int64_t id = trace.integer(trace.gpu_events()[i], Argument::correlation).value_or(0);
    if (id != 0) work.add(id, i);
  }
}
}  // namespace kinetoscope
