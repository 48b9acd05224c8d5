#pragma once

// The answer to an event query: rows with their ids, or groups with their figures, ranked and cut to the query's limit.
//
// GPU work is one population (decision 4): linked, unless the query includes what is not. Times are whole nanoseconds,
// sums exact. The groups of an answer add up to its `whole`: counts, untimed and sums. Everything owns its text.
// Cost: one pass over the events of the selection, O(n log n) to sort the matches; a stop is asked for every 8,192.

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/diagnostics.hpp"
#include "core/base/wide_sum.hpp"
#include "core/tree/call_tree.hpp"
#include "core/tree/scope_selection.hpp"
#include "core/tree/steps.hpp"
#include "core/perf_model/operator_registry.hpp"
#include "core/analysis/event_figures.hpp"
#include "core/analysis/event_query.hpp"

namespace kinetoscope::analysis {

struct EventRow {
  EventId event = no_event;  ///< index in traceEvents
  std::string name;
  std::optional<std::int64_t> begin_ns;     ///< since the trace's first event (recorded_time)
  std::optional<std::int64_t> duration_ns;  ///< absent without a usable time
  std::optional<WideSum> gpu_ns;
  std::optional<WideSum> own_gpu_ns;
  std::vector<std::optional<std::string>> values;  ///< of EventAnswer::fields
};

struct EventGroup {
  std::vector<std::optional<std::string>> values;  ///< of EventAnswer::fields
  EventFigures figures;
  EventId longest = no_event;  ///< the event of the longest duration, the first of equals
};

struct EventAnswer {
  std::vector<EventField> fields;  ///< what groups are by; of rows what is shown beside the name
  std::vector<EventRow> rows;
  std::vector<EventGroup> groups;
  std::uint64_t total = 0;     ///< rows, or groups, that there are
  EventFigures whole;          ///< of all matching events
  WideSum scope_gpu_ns = 0;    ///< of the population in scope: what gpu_share is of
  std::uint64_t left_out = 0;  ///< unlinked GPU events in scope that the population leaves out
  Diagnostics diagnostics;     ///< of the scope
};

/// What a query is put to. All must outlive the call.
struct EventSource {
  const CallTree& tree;
  const Steps& steps;
  const ScopeSelection& selection;
  bool is_whole = true;  ///< nothing is out of scope: calls without a start, too, are in it
  const perf_model::OperatorRegistry& registry;
};

/// Throws what check_query() throws, and Error interrupted soon after `stop` was asked for.
[[nodiscard]] EventAnswer answer(const EventQuery& query, const EventSource& source, const std::stop_token& stop = {});
}  // namespace kinetoscope::analysis
