#pragma once

// The folder of recorded traces and damaged inputs that tests read: KINETOSCOPE_SHARED, or else ../shared beside the
// repository. It is no part of the repository; a test that needs it fails loudly without.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/trace.hpp"

namespace kinetoscope {

/// A file or folder of it; fails the test when that is absent.
[[nodiscard]] std::filesystem::path shared_file(const std::filesystem::path& relative);
/// "mi300/x.json.gz" of the folder's `traces`.
[[nodiscard]] Trace shared_trace(std::string_view relative);
/// The path of "F01_windows_backslash.json" of the folder's `field_inputs`, and the trace in it.
[[nodiscard]] std::string field_input(std::string_view file_name);
[[nodiscard]] Trace field_trace(std::string_view file_name);
/// All recorded traces below `traces`, as shared_trace() takes them, sorted.
[[nodiscard]] std::vector<std::string> shared_trace_names();
}  // namespace kinetoscope
