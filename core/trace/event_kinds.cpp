#include "core/trace/event_kinds.hpp"

#include <algorithm>

namespace kinetoscope {
namespace {

struct CategoryRole {
  std::string_view category;
  Role role{};
};

/// Kineto's categories (libkineto's ActivityType), those of other back ends that Kineto writes, and of older exporters.
constexpr std::array category_table = {
    CategoryRole{"cpu_op", Role::operator_call},
    CategoryRole{"python_function", Role::python_call},
    CategoryRole{"cuda_runtime", Role::runtime_call},
    CategoryRole{"cuda_driver", Role::runtime_call},
    CategoryRole{"kernel", Role::kernel},
    CategoryRole{"gpu_memcpy", Role::copy},
    CategoryRole{"gpu_memset", Role::fill},
    CategoryRole{"ac2g", Role::launch_arrow},
    CategoryRole{"fwdbwd", Role::backward_arrow},
    CategoryRole{"user_annotation", Role::host_annotation},
    CategoryRole{"gpu_user_annotation", Role::device_annotation},
    CategoryRole{"cpu_instant_event", Role::memory},
    CategoryRole{"overhead", Role::overhead},
    CategoryRole{"cuda_sync", Role::synchronisation},
    CategoryRole{"cuda_event", Role::bookkeeping},
    CategoryRole{"graph_event_node", Role::bookkeeping},
    CategoryRole{"Trace", Role::bookkeeping},
    CategoryRole{"hardware_counters", Role::counter},
    CategoryRole{"cuda_profiler_range", Role::bookkeeping},
    CategoryRole{"collective_comm", Role::host_annotation},
    CategoryRole{"hip_runtime", Role::runtime_call},
    CategoryRole{"hip_driver", Role::runtime_call},
    CategoryRole{"xpu_runtime", Role::runtime_call},
    CategoryRole{"xpu_driver", Role::runtime_call},
    CategoryRole{"xpu_sync", Role::synchronisation},
    CategoryRole{"xpu_scope_profiler", Role::counter},
    CategoryRole{"mtia_runtime", Role::runtime_call},
    CategoryRole{"mtia_ccp_events", Role::kernel},
    CategoryRole{"mtia_insight", Role::bookkeeping},
    CategoryRole{"mtia_counters", Role::counter},
    CategoryRole{"mtia_workloadd", Role::bookkeeping},
    CategoryRole{"privateuse1_runtime", Role::runtime_call},
    CategoryRole{"privateuse1_driver", Role::runtime_call},
    CategoryRole{"glow_runtime", Role::runtime_call},
    CategoryRole{"hpu_op", Role::kernel},
    CategoryRole{"external_correlation", Role::bookkeeping},
    // Kineto before 2022, and the profiler before Kineto
    CategoryRole{"Operator", Role::operator_call},
    CategoryRole{"operator", Role::operator_call},
    CategoryRole{"Kernel", Role::kernel},
    CategoryRole{"Memcpy", Role::copy},
    CategoryRole{"Memset", Role::fill},
    CategoryRole{"Runtime", Role::runtime_call},
    CategoryRole{"User annotation", Role::host_annotation},
    CategoryRole{"async", Role::launch_arrow},
    CategoryRole{"async_gpu", Role::launch_arrow},
    CategoryRole{"forward_backward", Role::backward_arrow},
};

constexpr std::array<std::string_view, role_count> role_spellings = {
    "operator_call",     "python_call",  "runtime_call",   "kernel",          "copy",   "fill",     "host_annotation",
    "device_annotation", "launch_arrow", "backward_arrow", "synchronisation", "memory", "overhead", "counter",
    "bookkeeping",       "unidentified", "unknown"};
static_assert(!role_spellings.back().empty());
}  // namespace

Phase phase_of(std::string_view ph) noexcept {
  if (ph.empty()) return Phase::missing;
  if (ph.size() != 1) return Phase::other;
  switch (ph.front()) {
    case 'X': return Phase::complete;
    case 'B': return Phase::begin;
    case 'E': return Phase::end;
    case 'M': return Phase::metadata;
    case 's': return Phase::flow_start;
    case 't': return Phase::flow_step;
    case 'f': return Phase::flow_end;
    case 'i':
    case 'I':
    case 'R': return Phase::instant;
    case 'C': return Phase::counter;
    default: return Phase::other;
  }
}

std::string_view spelling_of(Role role) noexcept { return role_spellings[static_cast<std::size_t>(role)]; }

std::optional<Role> role_of_category(std::string_view category) noexcept {
  const auto* const found =
      std::ranges::find_if(category_table, [&](const CategoryRole& row) { return row.category == category; });
  if (found == category_table.end()) return {};
  return found->role;
}
}  // namespace kinetoscope
