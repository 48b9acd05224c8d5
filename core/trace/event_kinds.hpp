#pragma once

// What an event is: its phase (how the file writes it) and its role (what it means here). Roles come from the category
// by a table; an unknown category keeps its name, is counted, and is neither host call nor GPU work.

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace kinetoscope {

/// The Chrome trace format's `ph`.
enum class Phase : std::uint8_t {
  missing,
  complete,
  begin,
  end,
  metadata,
  flow_start,
  flow_step,
  flow_end,
  instant,
  counter,
  other
};
[[nodiscard]] Phase phase_of(std::string_view ph) noexcept;

enum class Role : std::uint8_t {
  operator_call,      ///< a dispatcher operator: a node of the call tree
  python_call,        ///< a Python frame or nn.Module call: a flagged node of the call tree
  runtime_call,       ///< a call of the device runtime or driver, launches among them: a node of the call tree
  kernel,             ///< GPU work
  copy,               ///< GPU work: a memcpy
  fill,               ///< GPU work: a memset
  host_annotation,    ///< a user's range on a host thread, steps among them; no node
  device_annotation,  ///< the same, projected onto a device; no GPU work
  launch_arrow,       ///< ac2g: from launch to GPU work, or between kernels of a graph
  backward_arrow,     ///< fwdbwd: from forward to backward operator
  synchronisation,    ///< a wait of a stream, event or context: no GPU work
  memory,             ///< an allocation or release
  overhead,           ///< the profiler's own time
  counter,            ///< a sample of a series
  bookkeeping,        ///< metadata, record windows, event nodes: kept, used for nothing else
  unidentified,       ///< neither name nor category: nothing says what it is
  unknown,            ///< of a category that the table does not know
};
inline constexpr std::size_t role_count = static_cast<std::size_t>(Role::unknown) + 1;
[[nodiscard]] std::string_view spelling_of(Role role) noexcept;

/// kernel, copy or fill.
[[nodiscard]] constexpr bool is_gpu_work(Role role) noexcept {
  return role == Role::kernel || role == Role::copy || role == Role::fill;
}
/// operator_call, python_call or runtime_call.
[[nodiscard]] constexpr bool is_host_call(Role role) noexcept {
  return role == Role::operator_call || role == Role::python_call || role == Role::runtime_call;
}

/// The role of a `cat`; nothing for a category that the table does not know.
[[nodiscard]] std::optional<Role> role_of_category(std::string_view category) noexcept;
}  // namespace kinetoscope
