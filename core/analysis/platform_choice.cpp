#include "core/analysis/platform_choice.hpp"

#include <filesystem>
#include <system_error>
#include <utility>

#include "core/perf_model/platform_detection.hpp"
#include "core/perf_model/platform_reader.hpp"
#include "core/perf_model/platform_table.hpp"

namespace kinetoscope::analysis {
namespace {

/// A mistyped name is better answered with the names that there are than with a file that is not there.
bool is_meant_as_file(const std::string& text) {
  std::error_code failure;
  return text.find('/') != std::string::npos || text.ends_with(".json") || std::filesystem::exists(text, failure);
}
}  // namespace

PlatformChoice named_platform(perf_model::Platform platform) { return {PlatformSource::named, std::move(platform)}; }

PlatformChoice no_platform() { return {PlatformSource::none, {}}; }

PlatformChoice platform_choice_of(const std::string& text) {
  if (text == spelling_of(PlatformSource::none)) return no_platform();
  if (const perf_model::Platform* const known = perf_model::find_platform(text)) return named_platform(*known);
  if (is_meant_as_file(text)) return named_platform(perf_model::read_platform_file(text));
  return named_platform(perf_model::known_platform(text));
}

HeldAgainst settle_platform(const TraceMetadata& metadata, const PlatformChoice& choice) {
  HeldAgainst held;
  held.source = choice.source;
  switch (choice.source) {
    case PlatformSource::detected: {
      perf_model::PlatformDetection detection = perf_model::detect_platform(metadata);
      held.platform = std::move(detection.platform);
      held.notes = std::move(detection.notes);
      held.reason = std::move(detection.reason);
      break;
    }
    case PlatformSource::named:
      held.platform = choice.named;
      held.warnings = perf_model::detect_platform(metadata, &*choice.named).warnings;
      break;
    case PlatformSource::none: held.reason = "none is wanted"; break;
  }
  return held;
}

PlatformChoice settled_choice(const HeldAgainst& held) {
  return held.platform ? named_platform(*held.platform) : no_platform();
}
}  // namespace kinetoscope::analysis
