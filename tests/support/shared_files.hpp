#pragma once

// The folder of recorded traces that tests read: KINETOSCOPE_SHARED, or else ../shared beside the repository. It is no
// part of the repository; a test that needs it fails loudly without.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/trace.hpp"

namespace kinetoscope {

/// Fails the test when the file is absent.
[[nodiscard]] std::filesystem::path shared_file(std::string_view relative);
/// "mi300/x.json.gz" of the folder's `traces`.
[[nodiscard]] Trace shared_trace(std::string_view relative);
/// All recorded traces below `traces`, as shared_trace() takes them, sorted.
[[nodiscard]] std::vector<std::string> shared_trace_names();
}  // namespace kinetoscope
