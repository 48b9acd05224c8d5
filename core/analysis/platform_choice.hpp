#pragma once

// Which platform figures are held against: the one that the trace says, one that the user names, or none. Settled once
// for a trace, so that everything that speaks of rooflines means the same. Without a platform there is a reason.
// Cost: a walk over the devices that the trace describes.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/metadata.hpp"
#include "core/names/spelled.hpp"
#include "core/perf_model/platform.hpp"

namespace kinetoscope::analysis {

enum class PlatformSource : std::uint8_t {
  detected,  ///< by what the trace says of its devices
  named,     ///< by the user
  none,      ///< the user wants no rooflines
};
inline constexpr std::array platform_sources = {
    names::Spelled{PlatformSource::detected, "detected"},
    names::Spelled{PlatformSource::named, "named"},
    names::Spelled{PlatformSource::none, "none"},
};
static_assert(names::follows_enum(platform_sources, PlatformSource::none));
[[nodiscard]] constexpr std::string_view spelling_of(PlatformSource source) noexcept {
  return platform_sources[static_cast<std::size_t>(source)].spelling;
}

struct PlatformChoice {
  PlatformSource source = PlatformSource::detected;
  std::optional<perf_model::Platform> named{};  ///< there exactly where the source says so
  friend bool operator==(const PlatformChoice&, const PlatformChoice&) = default;
};
[[nodiscard]] PlatformChoice named_platform(perf_model::Platform platform);
[[nodiscard]] PlatformChoice no_platform();

/// What a user says: "none", a name of the table, or the path of a JSON file; a name goes before a file of that name.
/// Throws Error usage with the names that there are, and what read_platform_file() throws.
[[nodiscard]] PlatformChoice platform_choice_of(const std::string& text);

/// A choice settled for one trace.
struct HeldAgainst {
  PlatformSource source = PlatformSource::detected;
  std::optional<perf_model::Platform> platform{};
  std::vector<std::string> notes{};     ///< how it was detected: sentences without full stop
  std::vector<std::string> warnings{};  ///< what the user names is not what the trace says
  std::string reason{};                 ///< why there is no platform, a clause; empty with one
  friend bool operator==(const HeldAgainst&, const HeldAgainst&) = default;
};
[[nodiscard]] HeldAgainst settle_platform(const TraceMetadata& metadata, const PlatformChoice& choice);
/// The same as a choice that needs no trace any more.
[[nodiscard]] PlatformChoice settled_choice(const HeldAgainst& held);
}  // namespace kinetoscope::analysis
