#pragma once

// The features of newer exporters by name: for the command line, and for tests that try each of them.

#include <span>
#include <string_view>

#include "examples/generator/trace_options.hpp"

namespace kinetoscope::examples {

struct NamedFeature {
  std::string_view name;
  void (*turn_on)(Features&) = nullptr;
};

/// One for each flag, and one for each value of an enumeration but `none`.
[[nodiscard]] std::span<const NamedFeature> named_features() noexcept;
}  // namespace kinetoscope::examples
