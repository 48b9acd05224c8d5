#pragma once

// The top-level members of a Kineto document: from their JSON texts to the fields of TraceMetadata.

#include "core/base/diagnostics.hpp"
#include "core/trace/metadata.hpp"

namespace kinetoscope::importers {

/// Reads `metadata.entries` into the other fields. A text that is no JSON is repaired where that is possible, else
/// counted and left as it is. Never throws on any content.
void read_metadata(TraceMetadata& metadata, Diagnostics& diagnostics);
}  // namespace kinetoscope::importers
