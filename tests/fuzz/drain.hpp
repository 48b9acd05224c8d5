#pragma once

// Reads a source to its end, by reads of uneven sizes: what the fuzzers of the decompressors do.

#include <array>
#include <cstdint>

#include "core/io/byte_source.hpp"

namespace kinetoscope::io {

/// At most 64 MB: a small input may hold far more.
inline void drain(ByteSource& source) {
  constexpr std::size_t most_bytes = 64 << 20;
  static std::array<char, 1 << 16> buffer;
  std::size_t total = 0;
  std::size_t size = 1;
  for (std::size_t count = 1; count > 0 && total < most_bytes; total += count) {
    count = source.read(std::span(buffer).first(size));
    size = size * 3 % buffer.size() + 1;
  }
  Diagnostics diagnostics;
  source.report(diagnostics);
  static_cast<void>(source.damage());
}
}  // namespace kinetoscope::io
