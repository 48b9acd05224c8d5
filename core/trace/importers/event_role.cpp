#include "core/trace/importers/event_role.hpp"

namespace kinetoscope::importers {
namespace {

bool is_call_or_gpu_work(Role role) noexcept { return is_host_call(role) || is_gpu_work(role); }

/// Of an event whose phase has no extent.
Role role_of_moment(const std::optional<Role>& category_role) noexcept {
  if (!category_role) return Role::bookkeeping;
  const bool needs_extent = is_call_or_gpu_work(*category_role) || *category_role == Role::host_annotation ||
                            *category_role == Role::device_annotation;
  return needs_extent ? Role::bookkeeping : *category_role;
}

/// The exporter before Kineto wrote no categories, and named its two processes.
Role role_without_category(const EventIdentity& event) noexcept {
  if (!event.has_name) return Role::unidentified;
  return event.is_on_device ? Role::kernel : Role::operator_call;
}
}  // namespace

Role role_of_event(const EventIdentity& event) noexcept {
  switch (event.phase) {
    case Phase::metadata:
    case Phase::end: return Role::bookkeeping;
    case Phase::counter: return Role::counter;
    case Phase::flow_start:
    case Phase::flow_step:
    case Phase::flow_end: {
      const bool is_arrow = event.category_role == Role::launch_arrow || event.category_role == Role::backward_arrow;
      return is_arrow ? *event.category_role : Role::bookkeeping;
    }
    case Phase::instant:
    case Phase::other: return role_of_moment(event.category_role);
    case Phase::missing:
    case Phase::complete:
    case Phase::begin: break;
  }
  return event.category_role ? *event.category_role : role_without_category(event);
}

bool has_unexpected_phase(const EventIdentity& event) noexcept {
  const bool is_moment = event.phase == Phase::instant || event.phase == Phase::other;
  return is_moment && event.category_role && is_call_or_gpu_work(*event.category_role);
}
}  // namespace kinetoscope::importers
