#pragma once

// The event scanner for processors with AVX2 and carry-less multiplication: about 10 GB/s where the portable one has 1.

#include <cstddef>

#include "core/io/event_scanner.hpp"

namespace kinetoscope::io {

/// This build and this processor have what scan_avx2 needs.
[[nodiscard]] bool has_avx2() noexcept;
/// Only when has_avx2().
void scan_avx2(const char* data, std::size_t from, std::size_t to, EventScanner::State& state) noexcept;
}  // namespace kinetoscope::io
