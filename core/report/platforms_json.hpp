#pragma once

// What `platforms --json` prints: schemas/artifacts/platforms.schema.json. Every figure of the known platforms, and
// what each compute spec is held against.

#include "core/perf_model/platform_table.hpp"
#include "core/report/json.hpp"

namespace kinetoscope::report {

[[nodiscard]] Json platforms_json(const perf_model::PlatformTable& table);
}  // namespace kinetoscope::report
