#include "core/tree/runtime_call_table.hpp"

#include <vector>

namespace kinetoscope {

RuntimeCallTable::RuntimeCallTable(const Trace& trace)
    : trace_(&trace), by_name_(trace.names_count(), names::RuntimeCall::unknown) {
  std::vector<bool> is_known(trace.names_count(), false);
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const auto event = id_at<EventId>(i);
    const NameId name = trace.name(event);
    if (trace.role(event) != Role::runtime_call || name == no_name || is_known[index_of(name)]) continue;
    is_known[index_of(name)] = true;
    by_name_[index_of(name)] = names::classify_runtime_call(trace.text(name));
  }
}
}  // namespace kinetoscope
