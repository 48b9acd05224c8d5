#pragma once

// Which way a copy goes and what sort of host memory it touches, from an event's name ("Memcpy HtoD (Pinned ->
// Device)", "CopyDeviceToHost") or from its arguments where the name is a bare "Memcpy". The pieces are in
// kernel_kinds.json.

#include <array>
#include <cstdint>
#include <string_view>

#include "core/names/spelled.hpp"

namespace kinetoscope::names {

/// Copies from and to arrays (textures) count as copies from and to the device.
enum class CopyDirection : std::uint8_t {
  unknown,
  host_to_device,
  device_to_host,
  device_to_device,
  host_to_host,
  peer_to_peer,
};
inline constexpr std::array copy_directions = {
    Spelled{CopyDirection::unknown, "unknown"},
    Spelled{CopyDirection::host_to_device, "host_to_device"},
    Spelled{CopyDirection::device_to_host, "device_to_host"},
    Spelled{CopyDirection::device_to_device, "device_to_device"},
    Spelled{CopyDirection::host_to_host, "host_to_host"},
    Spelled{CopyDirection::peer_to_peer, "peer_to_peer"},
};
static_assert(follows_enum(copy_directions, CopyDirection::peer_to_peer));
[[nodiscard]] constexpr std::string_view spelling_of(CopyDirection direction) noexcept {
  return copy_directions[static_cast<std::size_t>(direction)].spelling;
}

/// Copies from and to pageable memory make the host wait; pinned ones need not.
enum class HostMemory : std::uint8_t { unknown, pinned, pageable, managed };
inline constexpr std::array host_memories = {
    Spelled{HostMemory::unknown, "unknown"},
    Spelled{HostMemory::pinned, "pinned"},
    Spelled{HostMemory::pageable, "pageable"},
    Spelled{HostMemory::managed, "managed"},
};
static_assert(follows_enum(host_memories, HostMemory::managed));
[[nodiscard]] constexpr std::string_view spelling_of(HostMemory memory) noexcept {
  return host_memories[static_cast<std::size_t>(memory)].spelling;
}

struct CopyTraits {
  CopyDirection direction = CopyDirection::unknown;
  HostMemory host_memory = HostMemory::unknown;
  friend bool operator==(const CopyTraits&, const CopyTraits&) = default;
};

/// From the texts of an event's arguments, each empty when absent: `copy kind` ("HtoD"), `src kind` and `dst kind`
/// ("pinned", "pageable", "device", "managed"). Without a copy kind the two memories tell the direction.
[[nodiscard]] CopyTraits copy_traits(std::string_view copy_kind, std::string_view source_kind,
                                     std::string_view destination_kind);
}  // namespace kinetoscope::names
