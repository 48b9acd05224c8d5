#pragma once

// Every tool that there is, in the order in which they are listed.

#include <span>
#include <string_view>

#include "tools/tool.hpp"

namespace kinetoscope::tools {

/// Made on first use, once; valid until the program ends.
[[nodiscard]] std::span<const Tool> all_tools();
/// Throws Error unknown_tool, with the closest name.
[[nodiscard]] const Tool& tool_of(std::string_view name);
}  // namespace kinetoscope::tools
