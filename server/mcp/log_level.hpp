#pragma once

// Levels of log messages to a client, as syslog has them.

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace kinetoscope::mcp {

/// Rising, so that `<` says less severe.
enum class LogLevel : std::uint8_t { debug, info, notice, warning, error, critical, alert, emergency };

inline constexpr std::array<std::string_view, 8> log_level_spellings = {"debug", "info",     "notice", "warning",
                                                                        "error", "critical", "alert",  "emergency"};
static_assert(log_level_spellings.size() == static_cast<std::size_t>(LogLevel::emergency) + 1);

[[nodiscard]] constexpr std::string_view spelling(LogLevel level) noexcept {
  return log_level_spellings[static_cast<std::size_t>(level)];
}

[[nodiscard]] constexpr std::optional<LogLevel> log_level_of(std::string_view text) noexcept {
  for (std::size_t index = 0; index < log_level_spellings.size(); ++index) {
    if (log_level_spellings[index] == text) return static_cast<LogLevel>(index);
  }
  return std::nullopt;
}
}  // namespace kinetoscope::mcp
