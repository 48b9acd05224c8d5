#pragma once

// Reads platforms from JSON: the entries of the table and users' own files, which have the same form
// (schemas/data/platform.schema.json). A file with a flat map max_achievable_tflops, as TraceLens reads it, is taken,
// too: its numbers are figures of kind stated.
// An entry that does not fit is refused whole, by file, field and reason.

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/perf_model/platform.hpp"

namespace kinetoscope::perf_model {

/// A platform's file is some kilobytes; what is longer is another file.
inline constexpr std::size_t most_platform_bytes = std::size_t{1} << 20;

/// `input` names it in errors: Error data_file_invalid.
[[nodiscard]] Platform read_platform(std::string_view json, const std::string& input);
/// The same of a file, of which at most most_platform_bytes are read. Also throws what reading throws.
[[nodiscard]] Platform read_platform_file(const std::string& path);

/// Of parsed JSON; `place` stands before the fields in errors: "platforms[3].".
[[nodiscard]] Platform platform_of(const nlohmann::json& entry, const std::string& input, const std::string& place);
/// How a trace names a device. Throws as platform_of().
[[nodiscard]] DeviceMarks device_marks_of(const nlohmann::json& entry, const std::string& input,
                                          const std::string& place);
}  // namespace kinetoscope::perf_model
