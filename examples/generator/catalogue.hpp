#pragma once

// Every trace that can be made by its name alone: scenarios with default options, and the stories about fitness.

#include <span>
#include <string_view>

#include "examples/generator/timeline.hpp"
#include "examples/generator/trace_options.hpp"

namespace kinetoscope::examples {

/// A scenario that takes options.
struct Scenario {
  std::string_view name;
  std::string_view about;
  Generated (*make)(const TraceOptions&) = nullptr;
};

/// A trace that tells one thing, always the same.
struct Story {
  std::string_view name;
  std::string_view about;
  Generated (*make)() = nullptr;
};

/// One of the traces that are kept under examples/traces/, gzip by zlib.
struct KeptTrace {
  std::string_view file;
  Generated (*make)() = nullptr;
};

[[nodiscard]] std::span<const Scenario> scenarios() noexcept;
[[nodiscard]] std::span<const Story> stories() noexcept;
[[nodiscard]] std::span<const KeptTrace> kept_traces() noexcept;
}  // namespace kinetoscope::examples
