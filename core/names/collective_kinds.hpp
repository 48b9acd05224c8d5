#pragma once

// What communication kernels exchange, as kernel_kinds.json tells it, with the spellings.

#include <array>
#include <cstdint>
#include <string_view>

#include "core/names/spelled.hpp"

namespace kinetoscope::names {

/// `none` unless the kernel communicates; `unknown` when it does and the name does not say how.
enum class CollectiveKind : std::uint8_t {
  none,
  unknown,
  all_reduce,
  all_gather,
  reduce_scatter,
  all_to_all,
  broadcast,
  reduce,
  gather,
  scatter,
  send_recv,
  dispatch,  ///< tokens to their experts
  combine,   ///< and back
  barrier,
};
inline constexpr std::array collective_kinds = {
    Spelled{CollectiveKind::none, "none"},
    Spelled{CollectiveKind::unknown, "unknown"},
    Spelled{CollectiveKind::all_reduce, "all_reduce"},
    Spelled{CollectiveKind::all_gather, "all_gather"},
    Spelled{CollectiveKind::reduce_scatter, "reduce_scatter"},
    Spelled{CollectiveKind::all_to_all, "all_to_all"},
    Spelled{CollectiveKind::broadcast, "broadcast"},
    Spelled{CollectiveKind::reduce, "reduce"},
    Spelled{CollectiveKind::gather, "gather"},
    Spelled{CollectiveKind::scatter, "scatter"},
    Spelled{CollectiveKind::send_recv, "send_recv"},
    Spelled{CollectiveKind::dispatch, "dispatch"},
    Spelled{CollectiveKind::combine, "combine"},
    Spelled{CollectiveKind::barrier, "barrier"},
};
static_assert(follows_enum(collective_kinds, CollectiveKind::barrier));
[[nodiscard]] constexpr std::string_view spelling_of(CollectiveKind kind) noexcept {
  return collective_kinds[static_cast<std::size_t>(kind)].spelling;
}
}  // namespace kinetoscope::names
