#pragma once

// Standard output kept for the protocol: whatever else writes there, a library or a child, reaches standard error.

#include "core/io/file_descriptor.hpp"

namespace kinetoscope {

/// A descriptor of what standard output was; from now on descriptor 1 is standard error. To be called before other
/// threads begin. Throws Error output_not_writable where the system refuses.
[[nodiscard]] io::FileDescriptor take_standard_output();
}  // namespace kinetoscope
