#pragma once

// What a host call of a runtime or driver does: CUDA, HIP, SYCL and Level Zero, MTIA, Ascend. One table,
// runtime_calls.json, in which the first rule that holds decides.
// Cost: below 1 us a name; callers classify each distinct name once. Threads: safe to call at once.

#include <array>
#include <cstdint>
#include <string_view>

#include "core/names/spelled.hpp"

namespace kinetoscope::names {

enum class RuntimeCall : std::uint8_t {
  unknown,  ///< the profiler did not know the call's name either (cbid_N), or no rule holds
  kernel_launch,
  graph_launch,
  copy,
  fill,
  synchronise,
  allocate,
  free,
  stream_capture_begin,
  stream_capture_end,
  graph_instantiate,
  graph_build,  ///< nodes added, changed, cloned, destroyed
  event_record,
  event_wait,     ///< a stream waits for an event or a memory value, the host does not
  host_function,  ///< a callback of the host in stream order
  query,          ///< asks and changes nothing
  other,          ///< creates, destroys, loads, sets
};
inline constexpr std::array runtime_calls = {
    Spelled{RuntimeCall::unknown, "unknown"},
    Spelled{RuntimeCall::kernel_launch, "kernel_launch"},
    Spelled{RuntimeCall::graph_launch, "graph_launch"},
    Spelled{RuntimeCall::copy, "copy"},
    Spelled{RuntimeCall::fill, "fill"},
    Spelled{RuntimeCall::synchronise, "synchronise"},
    Spelled{RuntimeCall::allocate, "allocate"},
    Spelled{RuntimeCall::free, "free"},
    Spelled{RuntimeCall::stream_capture_begin, "stream_capture_begin"},
    Spelled{RuntimeCall::stream_capture_end, "stream_capture_end"},
    Spelled{RuntimeCall::graph_instantiate, "graph_instantiate"},
    Spelled{RuntimeCall::graph_build, "graph_build"},
    Spelled{RuntimeCall::event_record, "event_record"},
    Spelled{RuntimeCall::event_wait, "event_wait"},
    Spelled{RuntimeCall::host_function, "host_function"},
    Spelled{RuntimeCall::query, "query"},
    Spelled{RuntimeCall::other, "other"},
};
static_assert(follows_enum(runtime_calls, RuntimeCall::other));
[[nodiscard]] constexpr std::string_view spelling_of(RuntimeCall call) noexcept {
  return runtime_calls[static_cast<std::size_t>(call)].spelling;
}

/// Any text is a valid name. O(n).
[[nodiscard]] RuntimeCall classify_runtime_call(std::string_view name);

/// Could such a call put work on a device? A call of unknown name could not as far as we can tell.
[[nodiscard]] constexpr bool is_launch(RuntimeCall call) noexcept {
  return call == RuntimeCall::kernel_launch || call == RuntimeCall::graph_launch || call == RuntimeCall::copy ||
         call == RuntimeCall::fill;
}
}  // namespace kinetoscope::names
