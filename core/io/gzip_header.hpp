#pragma once

// The header of a gzip member (RFC 1952, 2.3): skipped, and checked where it has a checksum. Fields of any length are
// passed over without being kept.

#include <cstdint>

#include "core/io/buffered_input.hpp"

namespace kinetoscope::io {

enum class GzipHeader : std::uint8_t {
  member,     ///< deflate data follows
  none,       ///< the end of the input
  no_gzip,    ///< bytes that begin no member; none was taken
  truncated,  ///< the input ends inside the header
  corrupt,    ///< another method, unknown flags, or a wrong checksum
};

/// Takes the header at the front of `input`. O(length of the header).
[[nodiscard]] GzipHeader take_gzip_header(BufferedInput& input);
}  // namespace kinetoscope::io
