#pragma once

// The device's own number for the stream of GPU work, the same in every sheet: viewers move work to another lane and
// write where it ran as `original_stream` (decision 4).

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/trace/trace.hpp"

namespace kinetoscope::analysis {

/// Of a column of it.
inline constexpr std::string_view stream_meaning =
    "The device's number for the stream: the kernels' argument `original_stream` where a viewer moved them to another "
    "lane, else `stream`. Missing where they have neither.";

/// `original_stream` where it is written, else `stream`; absent where neither is.
[[nodiscard]] inline std::optional<std::int64_t> stream_number(const Trace& trace, EventId gpu_event) {
  const std::optional<std::int64_t> before_move = trace.integer(gpu_event, Argument::original_stream);
  return before_move ? before_move : trace.integer(gpu_event, Argument::stream);
}
}  // namespace kinetoscope::analysis
