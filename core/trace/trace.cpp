#include "core/trace/trace.hpp"

#include <bit>

namespace kinetoscope {

std::int64_t Trace::arrow_id(EventId event) const noexcept {
  const std::int64_t* const found = arrow_ids_.find(event);
  return found == nullptr ? 0 : *found;
}

std::optional<std::int64_t> Trace::integer(EventId event, Argument argument) const noexcept {
  const std::optional<std::uint64_t> bits = identifier(event, argument);
  if (!bits) return {};
  return std::bit_cast<std::int64_t>(*bits);
}

std::optional<double> Trace::real(EventId event, Argument argument) const noexcept {
  const std::optional<std::uint64_t> bits = identifier(event, argument);
  if (!bits) return {};
  return std::bit_cast<double>(*bits);
}

std::optional<std::uint64_t> Trace::identifier(EventId event, Argument argument) const noexcept {
  return integer_columns_[static_cast<std::size_t>(argument)].find(event);
}

std::optional<NameId> Trace::text(EventId event, Argument argument) const noexcept {
  const std::uint32_t* const found = id_columns_[static_cast<std::size_t>(argument)].find(event);
  if (found == nullptr) return {};
  return static_cast<NameId>(*found);
}

std::optional<JsonId> Trace::json(EventId event, Argument argument) const noexcept {
  const std::uint32_t* const found = id_columns_[static_cast<std::size_t>(argument)].find(event);
  if (found == nullptr) return {};
  return static_cast<JsonId>(*found);
}

bool Trace::is_absent(Argument argument) const noexcept {
  const auto index = static_cast<std::size_t>(argument);
  return integer_columns_[index].empty() && id_columns_[index].empty();
}

std::string_view Trace::other_arguments(EventId event) const noexcept {
  const JsonId* const found = other_arguments_.find(event);
  return found == nullptr ? std::string_view() : json_text(*found);
}

NameId Trace::find_name(std::string_view text) const noexcept { return static_cast<NameId>(texts_.find(text)); }

void Trace::trim() noexcept {
  phases_.trim();
  roles_.trim();
  category_ids_.trim();
  names_.trim();
  tracks_of_events_.trim();
  begins_ns_.trim();
  durations_ns_.trim();
  arrow_ids_.trim();
  for (auto& column : integer_columns_) column.trim();
  for (auto& column : id_columns_) column.trim();
  other_arguments_.trim();
  streams_of_events_.trim();
  gpu_events_.trim();
}

std::size_t Trace::allocated_bytes() const noexcept {
  std::size_t total = phases_.allocated_bytes() + roles_.allocated_bytes() + category_ids_.allocated_bytes() +
                      names_.allocated_bytes() + tracks_of_events_.allocated_bytes() + begins_ns_.allocated_bytes() +
                      durations_ns_.allocated_bytes() + arrow_ids_.allocated_bytes() +
                      other_arguments_.allocated_bytes() + texts_.allocated_bytes() + jsons_.allocated_bytes() +
                      streams_of_events_.allocated_bytes() + gpu_events_.allocated_bytes();
  for (const auto& column : integer_columns_) total += column.allocated_bytes();
  for (const auto& column : id_columns_) total += column.allocated_bytes();
  return total;
}
}  // namespace kinetoscope
