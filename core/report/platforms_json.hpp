#pragma once

// What `platforms --json` prints: schemas/artifacts/platforms.schema.json. Every figure of the known platforms, and
// what each compute spec is held against.

#include <optional>

#include "core/perf_model/platform_table.hpp"
#include "core/report/json.hpp"

namespace kinetoscope::report {

/// A figure with where it comes from; null where there is none.
[[nodiscard]] Json figure_json(const std::optional<perf_model::Figure>& figure);
[[nodiscard]] Json platforms_json(const perf_model::PlatformTable& table);
}  // namespace kinetoscope::report
