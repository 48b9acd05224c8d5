#pragma once

// The known platforms: platforms.json, read once. Devices that are known by name only stand beside them, so that
// nothing is borrowed for them.
// Cost: a look-up walks some thirty entries. Threads: safe to call at once.

#include <string>
#include <string_view>
#include <vector>

#include "core/perf_model/platform.hpp"

namespace kinetoscope::perf_model {

struct FigureSource {
  std::string key;
  std::string meaning;
};

/// A device whose figures are not known.
struct DeviceWithoutFigures {
  std::string name;
  std::string about;  ///< why, a clause
  DeviceMarks detect;
};

struct PlatformTable {
  std::vector<FigureSource> sources;
  std::vector<std::string> names_that_say_nothing;  ///< what a driver without a table of names calls any device
  std::vector<Platform> platforms;
  std::vector<DeviceWithoutFigures> without_figures;
};

/// Throws Error data_file_invalid.
[[nodiscard]] PlatformTable read_platform_table(std::string_view json);
/// The table that the program is built with.
[[nodiscard]] const PlatformTable& platform_table();

/// Lower case, punctuation between words and runs of blanks as one blank, without the vendor's words: "AMD Instinct
/// MI300X" and "mi300x" are alike.
[[nodiscard]] std::string normal_device_name(std::string_view name);

/// By its own name or by one that drivers give it; nullptr when there is none or several have it. Valid for ever.
[[nodiscard]] const Platform* find_platform(std::string_view name);
/// The same, or Error usage with the names that there are.
[[nodiscard]] const Platform& known_platform(std::string_view name);
}  // namespace kinetoscope::perf_model
