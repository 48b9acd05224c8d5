#pragma once

// The device's own number for the stream of GPU work, the same in every sheet: viewers move work to another lane and
// write where it ran as `original_stream` (decision 4).

#include <cstdint>
#include <optional>

#include "core/trace/trace.hpp"

namespace kinetoscope::analysis {

/// `original_stream` where it is written, else `stream`; absent where neither is.
[[nodiscard]] inline std::optional<std::int64_t> stream_number(const Trace& trace, EventId gpu_event) {
  const std::optional<std::int64_t> before_move = trace.integer(gpu_event, Argument::original_stream);
  return before_move ? before_move : trace.integer(gpu_event, Argument::stream);
}
}  // namespace kinetoscope::analysis
