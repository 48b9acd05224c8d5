#pragma once

// The tools' makers, one a file of the tool's name. What a program offers is registry.hpp's.

#include "tools/tool.hpp"

namespace kinetoscope::tools {

[[nodiscard]] Tool load_trace_tool();
[[nodiscard]] Tool list_traces_tool();
[[nodiscard]] Tool unload_trace_tool();
[[nodiscard]] Tool overview_tool();
[[nodiscard]] Tool roofline_tool();
}  // namespace kinetoscope::tools
