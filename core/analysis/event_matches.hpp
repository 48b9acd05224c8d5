#pragma once

// Which events of a scope fit a query's selection and filter. Each value of a field is held against a pattern once.
// Cost: one pass over the events of the trace, for GPU work over those in scope.

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "core/base/ids.hpp"
#include "core/analysis/event_answer.hpp"
#include "core/analysis/event_fields.hpp"
#include "core/analysis/event_query.hpp"

namespace kinetoscope::analysis {

/// GPU work in scope that figures are over, in file order.
[[nodiscard]] std::vector<EventId> event_population(const EventSource& source, bool includes_unlinked);

/// In file order. `population` is event_population()'s. Throws Error interrupted soon after `stop` was asked for.
[[nodiscard]] std::vector<EventId> matching_events(const EventQuery& query, const EventSource& source,
                                                   std::span<const EventId> population, EventFields& fields,
                                                   const std::stop_token& stop);
}  // namespace kinetoscope::analysis
