#pragma once

// Ids of everything that stands in columns. Each is its own type, so that an event is never looked up by a name's id;
// none has arithmetic. 32 bits: a trace has at most 4,294,967,294 events, which the importers enforce.

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace kinetoscope {

/// An event's index in `traceEvents`, counting every element: the UID of every table.
enum class EventId : std::uint32_t {};
/// A text in a `StringPool`.
enum class NameId : std::uint32_t {};
/// A JSON value, kept as its text, in a pool of values (`Trace::json_text`).
enum class JsonId : std::uint32_t {};
/// A (pid, tid) pair as the file writes it: a host thread, or a row of a device.
enum class TrackId : std::uint32_t {};
/// A device's physical stream.
enum class StreamId : std::uint32_t {};
/// A node of the `CallTree`, in depth-first order.
enum class NodeId : std::uint32_t {};
/// A step (iteration), in order of time.
enum class StepId : std::uint32_t {};

/// Absence inside columns; results say std::optional.
inline constexpr EventId no_event{0xffff'ffff};
inline constexpr NameId no_name{0xffff'ffff};
inline constexpr JsonId no_json{0xffff'ffff};
inline constexpr NodeId no_node{0xffff'ffff};
inline constexpr StreamId no_stream{0xffff'ffff};
inline constexpr StepId no_step{0xffff'ffff};

template <typename T>
concept Id = sizeof(T) == 4 && !std::integral<T> && requires(T id) {
  static_cast<std::uint32_t>(id);
};

/// Where an id's value stands in its column.
template <Id T>
[[nodiscard]] constexpr std::size_t index_of(T id) noexcept {
  return static_cast<std::size_t>(id);
}

/// The id of a place in a column; the caller knows that it is below 2^32 - 1.
template <Id T>
[[nodiscard]] constexpr T id_at(std::size_t index) noexcept {
  return static_cast<T>(static_cast<std::uint32_t>(index));
}
}  // namespace kinetoscope
