#include "core/analysis/event_query.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/error.hpp"

namespace kinetoscope::analysis {
namespace {

bool is_of_rows(EventMeasure measure) { return measure <= EventMeasure::gpu_share; }
bool is_of_groups(EventMeasure measure) { return measure >= EventMeasure::gpu_ns; }

std::string measures_where(bool (*is_wanted)(EventMeasure)) {
  std::string out;
  for (const auto& entry : event_measures) {
    if (is_wanted(entry.value)) out += fmt::format("{}{}", out.empty() ? "" : ", ", entry.spelling);
  }
  return out;
}

void check_query_field(const EventQuery& query, EventField field, std::string_view argument) {
  if (has_field(query.select, field)) return;
  throw Error({.code = ErrorCode::usage,
               .argument = std::string(argument),
               .received = std::string(spelling_of(field)),
               .problem = fmt::format("{} have no such field", spelling_of(query.select)),
               .accepted = fields_of(query.select)});
}

void check_group_fields(const EventQuery& query) {
  for (std::size_t i = 0; i < query.group_by.size(); ++i) {
    const EventField field = query.group_by[i];
    check_query_field(query, field, "group_by");
    const bool is_repeated = std::find(query.group_by.begin(), query.group_by.begin() + static_cast<std::ptrdiff_t>(i),
                                       field) != query.group_by.begin() + static_cast<std::ptrdiff_t>(i);
    if (!is_repeated && i < most_group_fields) continue;
    throw Error({.code = ErrorCode::usage,
                 .argument = "group_by",
                 .received = std::string(spelling_of(field)),
                 .problem = is_repeated ? "the field stands in it twice" : "too many fields to group by",
                 .accepted = fmt::format("up to {} different fields", most_group_fields)});
  }
}

void check_sort_key(const EventQuery& query) {
  const bool is_grouped = !query.group_by.empty();
  if (const auto* const field = std::get_if<EventField>(&query.sort_by)) {
    if (!is_grouped) return check_query_field(query, *field, "sort_by");
    if (std::ranges::find(query.group_by, *field) != query.group_by.end()) return;
  } else {
    const EventMeasure measure = std::get<EventMeasure>(query.sort_by);
    if (is_grouped ? is_of_groups(measure) : is_of_rows(measure)) return;
  }
  throw Error({.code = ErrorCode::usage,
               .argument = "sort_by",
               .received = std::visit([](auto key) { return std::string(spelling_of(key)); }, query.sort_by),
               .problem = is_grouped ? "groups have no such column" : "rows have no such column",
               .accepted = is_grouped ? measures_where(is_of_groups) + ", and the fields of group_by"
                                      : measures_where(is_of_rows) + ", and fields"});
}
}  // namespace

bool has_field(EventSelection selection, EventField field) noexcept {
  const bool is_gpu = selection == EventSelection::kernels || selection == EventSelection::gpu_work;
  switch (field) {
    case EventField::name:
    case EventField::role:
    case EventField::thread:
    case EventField::step:
    case EventField::phase: return true;
    case EventField::kernel_kind:
    case EventField::library:
    case EventField::device:
    case EventField::stream:
    case EventField::link_method: return is_gpu;
    case EventField::category: return is_gpu || selection == EventSelection::operators;
    case EventField::launching_operator:
    case EventField::module: return selection != EventSelection::annotations;
  }
  return false;
}

std::string fields_of(EventSelection selection) {
  std::string out;
  for (const auto& entry : event_fields) {
    if (has_field(selection, entry.value)) out += fmt::format("{}{}", out.empty() ? "" : ", ", entry.spelling);
  }
  return out;
}

void check_query(const EventQuery& query) {
  for (const FieldCondition& condition : query.conditions) check_query_field(query, condition.field, "filter");
  check_group_fields(query);
  check_sort_key(query);
}
}  // namespace kinetoscope::analysis
