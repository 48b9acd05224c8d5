#include "server/mcp/revision.hpp"

#include <algorithm>
#include <array>

namespace kinetoscope::mcp {
namespace {

constexpr std::array<std::string_view, 5> spellings = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25",
                                                       "2026-07-28"};
static_assert(spellings.size() == static_cast<std::size_t>(stateless) + 1);
}  // namespace

std::string_view spelling(Revision revision) noexcept { return spellings[static_cast<std::size_t>(revision)]; }

std::optional<Revision> revision_of(std::string_view text) noexcept {
  const auto* const found = std::find(spellings.begin(), spellings.end(), text);
  if (found == spellings.end()) return std::nullopt;
  return static_cast<Revision>(found - spellings.begin());
}

Revision negotiated(std::string_view asked) noexcept {
  const std::optional<Revision> known = revision_of(asked);
  return known && !is_stateless(*known) ? *known : newest_with_handshake;
}

Json supported_versions() {
  return {spelling(stateless), spelling(Revision::v2025_11_25), spelling(Revision::v2025_06_18)};
}

bool describes_itself(const Json& params) {
  return member(object_member(params, "_meta"), meta::protocol_version) != nullptr;
}
}  // namespace kinetoscope::mcp
