#pragma once

// What results say of a folder of generated sources that a user named: how many kernels it told of, and which of it
// could not be used.

#include <cstddef>
#include <string>

#include "core/perf_model/compiled_kernels.hpp"
#include "core/report/json.hpp"

namespace kinetoscope::report {

/// Of names of which sources say different things.
inline constexpr std::size_t most_ambiguous_shown = 10;

/// Object `inductor_cache` of results; null where no folder was named.
[[nodiscard]] Json inductor_cache_json(const perf_model::CompiledKernels& compiled);
/// Indented lines, or nothing.
[[nodiscard]] std::string inductor_cache_text(const perf_model::CompiledKernels& compiled);
}  // namespace kinetoscope::report
