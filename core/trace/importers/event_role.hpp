#pragma once

// What an event is, by its phase and category: its role, or what was guessed where one of the two is missing. An event
// that has no name either is nothing that can be told.

#include <optional>

#include "core/trace/event_kinds.hpp"

namespace kinetoscope::importers {

/// What decides about an event's role.
struct EventIdentity {
  Phase phase = Phase::missing;
  std::optional<Role> category_role{};  ///< absent without a category
  bool has_name = true;                 ///< looked at only without a category, as is_on_device is
  bool is_on_device = false;            ///< its process is one that the exporter before Kineto wrote GPU work for
};

/// The category's role, unless the phase says that this is no such thing: a metadata event, a counter, an instant.
[[nodiscard]] Role role_of_event(const EventIdentity& event) noexcept;

/// A call or GPU work by its category, of a phase that has no duration.
[[nodiscard]] bool has_unexpected_phase(const EventIdentity& event) noexcept;

/// The phase is one whose events are what their category says, or what is guessed without one.
[[nodiscard]] constexpr bool has_meaning_by_category(Phase phase) noexcept {
  return phase == Phase::complete || phase == Phase::begin || phase == Phase::missing;
}
/// Without a start, an event of this phase is lost for what it is there for.
[[nodiscard]] constexpr bool needs_start(Phase phase) noexcept {
  return phase != Phase::metadata && phase != Phase::other;
}
[[nodiscard]] constexpr bool needs_duration(Phase phase) noexcept {
  return phase == Phase::complete || phase == Phase::missing;
}
}  // namespace kinetoscope::importers
