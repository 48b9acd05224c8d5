#pragma once

// What `--strict` refuses: an input that is not what its writer meant. Cut or damaged bytes, JSON that had to be
// repaired, values that had to be thrown away. Unusual but sound content (late metadata, an unknown category) is fine.

#include "core/trace/trace.hpp"

namespace kinetoscope {

/// Throws Error input_defect that names the first kind of defect, without the input's name.
void refuse_repaired(const Trace& trace);
}  // namespace kinetoscope
