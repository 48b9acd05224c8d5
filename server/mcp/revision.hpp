#pragma once

// The protocol's revisions. Those before 2026-07-28 open with a handshake (`initialize`) and keep a session; since then
// every request describes itself in `_meta`, and nothing is kept between requests.

#include <cstdint>
#include <optional>
#include <string_view>

#include "server/mcp/json.hpp"

namespace kinetoscope::mcp {

/// In the order in which they came, so that `<` says earlier.
enum class Revision : std::uint8_t { v2024_11_05, v2025_03_26, v2025_06_18, v2025_11_25, v2026_07_28 };

inline constexpr Revision newest_with_handshake = Revision::v2025_11_25;
inline constexpr Revision stateless = Revision::v2026_07_28;

[[nodiscard]] std::string_view spelling(Revision revision) noexcept;
/// Nothing for a revision that is not known.
[[nodiscard]] std::optional<Revision> revision_of(std::string_view text) noexcept;
[[nodiscard]] constexpr bool is_stateless(Revision revision) noexcept { return revision >= stateless; }
/// What `initialize` answers: the asked one where it has a handshake and is known, else the newest that has one.
[[nodiscard]] Revision negotiated(std::string_view asked) noexcept;
/// What `server/discover` and the refusal of an unknown version list.
[[nodiscard]] Json supported_versions();

/// Keys of `_meta` that the protocol defines.
namespace meta {
inline constexpr std::string_view protocol_version = "io.modelcontextprotocol/protocolVersion";
inline constexpr std::string_view client_capabilities = "io.modelcontextprotocol/clientCapabilities";
inline constexpr std::string_view log_level = "io.modelcontextprotocol/logLevel";
inline constexpr std::string_view server_info = "io.modelcontextprotocol/serverInfo";
inline constexpr std::string_view subscription_id = "io.modelcontextprotocol/subscriptionId";
}  // namespace meta

/// Does a request with these params belong to the stateless revisions? It does when it names a protocol version.
[[nodiscard]] bool describes_itself(const Json& params);
}  // namespace kinetoscope::mcp
