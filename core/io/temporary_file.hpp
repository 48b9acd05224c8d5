#pragma once

// Bytes on disk for formats that must be read from both ends (zip) but come from a pipe. The file has no name: it
// vanishes with its descriptor, however the program ends.

#include <string>

#include "core/io/byte_source.hpp"
#include "core/io/file_descriptor.hpp"

namespace kinetoscope::io {

/// Content above this is refused with Error limit_reached.
inline constexpr std::uint64_t most_temporary_bytes = std::uint64_t{64} << 30;

/// All that `source` still gives, in an unnamed file under $TMPDIR (/tmp without one), positioned at its start. `name`
/// is what an Error calls the input. Error output_not_writable when the folder or its space does not suffice.
[[nodiscard]] FileDescriptor temporary_copy(ByteSource& source, const std::string& name);
}  // namespace kinetoscope::io
