#pragma once

// Parts that the texts of several commands have: headings, counts, and what was found in the input.

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/diagnostics.hpp"

namespace kinetoscope::report {

/// 1234567 -> "1,234,567".
[[nodiscard]] std::string number(std::uint64_t count);
/// A line of its own behind an empty one.
[[nodiscard]] std::string heading(std::string_view text, bool is_coloured);
/// With its heading; empty when nothing was found.
[[nodiscard]] std::string diagnostics_text(const Diagnostics& diagnostics, bool is_coloured);
}  // namespace kinetoscope::report
