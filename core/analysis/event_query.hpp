#pragma once

// Questions over single events: those of one sort that fit a filter, as rows with their ids, or grouped and measured
// (event_answer.hpp). What may be asked, and with which words.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/names/spelled.hpp"
#include "core/analysis/event_fields.hpp"

namespace kinetoscope::analysis {

/// Which sort of events a query is over.
enum class EventSelection : std::uint8_t { kernels, gpu_work, operators, runtime_calls, python_frames, annotations };
inline constexpr std::array event_selections = {
    names::Spelled{EventSelection::kernels, "kernels"},
    names::Spelled{EventSelection::gpu_work, "gpu_work"},
    names::Spelled{EventSelection::operators, "operators"},
    names::Spelled{EventSelection::runtime_calls, "runtime_calls"},
    names::Spelled{EventSelection::python_frames, "python_frames"},
    names::Spelled{EventSelection::annotations, "annotations"},
};
static_assert(names::follows_enum(event_selections, EventSelection::annotations));
[[nodiscard]] constexpr std::string_view spelling_of(EventSelection selection) noexcept {
  return event_selections[static_cast<std::size_t>(selection)].spelling;
}

/// What rows and groups can be sorted by, beside fields. The first six are of rows, those from gpu_ns on of both.
enum class EventMeasure : std::uint8_t {
  event,
  begin_ns,
  duration_ns,
  gpu_ns,      ///< of GPU work that belongs to it (EventGpuTime::total_ns)
  own_gpu_ns,  ///< EventGpuTime::own_ns
  gpu_share,   ///< own_gpu_ns of the scope's GPU time, 0 to 1
  count,
  untimed,
  sum_ns,
  mean_ns,
  min_ns,
  max_ns,
  p50_ns,
  p95_ns,
  p99_ns,
};
inline constexpr std::array event_measures = {
    names::Spelled{EventMeasure::event, "event"},
    names::Spelled{EventMeasure::begin_ns, "begin_ns"},
    names::Spelled{EventMeasure::duration_ns, "duration_ns"},
    names::Spelled{EventMeasure::gpu_ns, "gpu_ns"},
    names::Spelled{EventMeasure::own_gpu_ns, "own_gpu_ns"},
    names::Spelled{EventMeasure::gpu_share, "gpu_share"},
    names::Spelled{EventMeasure::count, "count"},
    names::Spelled{EventMeasure::untimed, "untimed"},
    names::Spelled{EventMeasure::sum_ns, "sum_ns"},
    names::Spelled{EventMeasure::mean_ns, "mean_ns"},
    names::Spelled{EventMeasure::min_ns, "min_ns"},
    names::Spelled{EventMeasure::max_ns, "max_ns"},
    names::Spelled{EventMeasure::p50_ns, "p50_ns"},
    names::Spelled{EventMeasure::p95_ns, "p95_ns"},
    names::Spelled{EventMeasure::p99_ns, "p99_ns"},
};
static_assert(names::follows_enum(event_measures, EventMeasure::p99_ns));
[[nodiscard]] constexpr std::string_view spelling_of(EventMeasure measure) noexcept {
  return event_measures[static_cast<std::size_t>(measure)].spelling;
}

/// The field's text fits the pattern (core/base/glob); an event without the field does not.
struct FieldCondition {
  EventField field{};
  std::string pattern;
  friend bool operator==(const FieldCondition&, const FieldCondition&) = default;
};

using EventSortKey = std::variant<EventMeasure, EventField>;

struct EventQuery {
  EventSelection select = EventSelection::kernels;
  std::vector<FieldCondition> conditions{};       ///< all hold
  std::optional<std::int64_t> min_duration_ns{};  ///< untimed events fit no bound
  std::optional<std::int64_t> max_duration_ns{};
  bool includes_unlinked = false;
  std::vector<EventField> group_by{};  ///< at most most_group_fields; empty asks for rows
  EventSortKey sort_by = EventMeasure::duration_ns;
  bool is_descending = true;  ///< what is unknown stands last either way; equals by event id, groups by their values
  std::size_t first = 0;      ///< rows or groups to pass over
  std::size_t limit = 20;
};
inline constexpr std::size_t most_group_fields = 4;

/// Events of the selection can have the field: operators have no stream.
[[nodiscard]] bool has_field(EventSelection selection, EventField field) noexcept;
/// Those that it has, in the order of the enum, joined by commas: what a user is told.
[[nodiscard]] std::string fields_of(EventSelection selection);
/// Throws Error usage, naming argument, value and what is accepted: fields that the selection lacks, too many or
/// repeated groups, and sorting by what rows, or groups, do not have.
void check_query(const EventQuery& query);
}  // namespace kinetoscope::analysis
