#pragma once

// The event store: what a profiler wrote, columns indexed by EventId, and nothing derived beyond what one event says.
//
// A trace has millions of events, so there is no object an event: dense columns hold what all have (about 36 bytes an
// event), sparse ones the arguments, pools the texts. Times are integer nanoseconds. A Trace never changes once built;
// const access is safe from any thread. Importers fill it through TraceBuilder.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/diagnostics.hpp"
#include "core/base/huge_array.hpp"
#include "core/base/ids.hpp"
#include "core/base/integer_column.hpp"
#include "core/base/interval_set.hpp"
#include "core/base/sparse_column.hpp"
#include "core/base/text_index.hpp"
#include "core/trace/argument.hpp"
#include "core/trace/event_kinds.hpp"
#include "core/trace/metadata.hpp"

namespace kinetoscope {

/// A time that the file does not say, or that does not fit.
inline constexpr std::int64_t unknown_time_ns = INT64_MIN;
/// Known times, starts and ends, lie within ±this: the difference of any two fits 64 bits, and so does any span.
inline constexpr std::int64_t largest_time_ns = (std::int64_t{1} << 62) - 1;

/// Of a known start and duration. An importer counts what ends later, and leaves its duration unknown.
[[nodiscard]] constexpr bool has_known_end(std::int64_t begin_ns, std::int64_t duration_ns) noexcept {
  return duration_ns <= 0 || begin_ns <= largest_time_ns - duration_ns;
}

/// A `pid` or `tid`: the file may write a number or a text, and 7 is not "7".
struct TrackPart {
  std::int64_t number = 0;
  NameId text = no_name;  ///< no_name for a number
  [[nodiscard]] bool is_text() const noexcept { return text != no_name; }
  friend bool operator==(const TrackPart&, const TrackPart&) = default;
};

/// One (pid, tid) pair, with the names that metadata events gave it; no_name where none did.
struct Track {
  TrackPart pid;
  TrackPart tid;
  NameId process_name = no_name;
  NameId process_labels = no_name;
  NameId thread_name = no_name;
};

/// Where GPU work runs: a hardware stream of a device (`original_stream` where a lane was moved, else `stream`).
struct Stream {
  std::int64_t device = 0;
  std::int64_t stream = 0;
  std::uint32_t gpu_events = 0;
  friend bool operator==(const Stream&, const Stream&) = default;
};

/// Why a trace holds only part of its file.
struct PartialRead {
  std::uint64_t offset = 0;  ///< bytes of the decompressed document that were used
  std::string reason;        ///< a diagnostic's code
  friend bool operator==(const PartialRead&, const PartialRead&) = default;
};

class Trace {
 public:
  Trace(Trace&&) noexcept = default;
  Trace& operator=(Trace&&) noexcept = default;
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;
  ~Trace() = default;

  /// How many elements `traceEvents` has; EventIds are 0 to size() - 1.
  [[nodiscard]] std::size_t size() const noexcept { return roles_.size(); }

  [[nodiscard]] Phase phase(EventId event) const noexcept { return phases_[index_of(event)]; }
  [[nodiscard]] Role role(EventId event) const noexcept { return roles_[index_of(event)]; }
  /// The category as written; empty when there is none.
  [[nodiscard]] std::string_view category(EventId event) const noexcept {
    return categories_[category_ids_[index_of(event)]];
  }
  [[nodiscard]] NameId name(EventId event) const noexcept { return names_[index_of(event)]; }
  [[nodiscard]] std::string_view name_text(EventId event) const noexcept { return text(name(event)); }
  [[nodiscard]] TrackId track(EventId event) const noexcept { return tracks_of_events_[index_of(event)]; }

  /// As written, rounded to nanoseconds; unknown_time_ns when absent or out of range.
  [[nodiscard]] std::int64_t begin_ns(EventId event) const noexcept { return begins_ns_[index_of(event)]; }
  /// As written: may be negative, which means that the profiler never saw the end.
  [[nodiscard]] std::int64_t duration_ns(EventId event) const noexcept { return durations_ns_[index_of(event)]; }
  /// When the event ran. Absent without a start, with an absent or negative duration, with an end beyond
  /// largest_time_ns, and for GPU work with start and duration 0, which profilers write for "not timed".
  [[nodiscard]] std::optional<Interval> extent(EventId event) const noexcept {
    const std::int64_t begin = begin_ns(event);
    const std::int64_t duration = duration_ns(event);
    if (begin == unknown_time_ns || duration < 0 || !has_known_end(begin, duration)) return {};
    if (begin == 0 && duration == 0 && is_gpu_work(role(event))) return {};
    return Interval{begin, begin + duration};
  }
  /// An arrow's `id`, which binds its start and end; 0 when there is none.
  [[nodiscard]] std::int64_t arrow_id(EventId event) const noexcept;

  [[nodiscard]] std::optional<std::int64_t> integer(EventId event, Argument argument) const noexcept;
  [[nodiscard]] std::optional<double> real(EventId event, Argument argument) const noexcept;
  /// 64 bits that compare only equal, of an argument of type identifier.
  [[nodiscard]] std::optional<std::uint64_t> identifier(EventId event, Argument argument) const noexcept;
  [[nodiscard]] std::optional<NameId> text(EventId event, Argument argument) const noexcept;
  [[nodiscard]] std::optional<JsonId> json(EventId event, Argument argument) const noexcept;
  /// An argument's column has no value at all in this trace.
  [[nodiscard]] bool is_absent(Argument argument) const noexcept;
  /// What has no column, as the text of a JSON object; empty when there is nothing.
  [[nodiscard]] std::string_view other_arguments(EventId event) const noexcept;

  /// Valid as long as this trace. Valid UTF-8; may hold control characters: it is foreign text.
  [[nodiscard]] std::string_view text(NameId name) const noexcept {
    return name == no_name ? std::string_view() : texts_.text(static_cast<std::uint32_t>(name));
  }
  [[nodiscard]] std::string_view json_text(JsonId json) const noexcept {
    return json == no_json ? std::string_view() : jsons_.text(static_cast<std::uint32_t>(json));
  }
  /// The name's id, or no_name when no event or argument bears it. O(length).
  [[nodiscard]] NameId find_name(std::string_view text) const noexcept;
  /// NameIds are 0 to names_count() - 1: for tables by name.
  [[nodiscard]] std::size_t names_count() const noexcept { return texts_.size(); }

  [[nodiscard]] std::span<const Track> tracks() const noexcept { return tracks_; }
  [[nodiscard]] const Track& track_info(TrackId track) const noexcept { return tracks_[index_of(track)]; }
  /// Sorted by device, then stream; only streams that GPU work ran on.
  [[nodiscard]] std::span<const Stream> streams() const noexcept { return streams_; }
  /// The stream of GPU work; no_stream for anything else.
  [[nodiscard]] StreamId stream(EventId event) const noexcept {
    const StreamId* const found = streams_of_events_.find(event);
    return found == nullptr ? no_stream : *found;
  }
  /// All GPU work, in file order.
  [[nodiscard]] std::span<const EventId> gpu_events() const noexcept { return gpu_events_.span(); }
  [[nodiscard]] std::size_t count(Role role) const noexcept { return role_counts_[static_cast<std::size_t>(role)]; }

  [[nodiscard]] const TraceMetadata& metadata() const noexcept { return metadata_; }
  [[nodiscard]] const Diagnostics& diagnostics() const noexcept { return diagnostics_; }
  [[nodiscard]] const std::optional<PartialRead>& partial() const noexcept { return partial_; }
  /// What the columns and pools take from the machine.
  [[nodiscard]] std::size_t allocated_bytes() const noexcept;

 private:
  friend class TraceBuilder;
  Trace() = default;
  void trim() noexcept;

  HugeArray<Phase> phases_;
  HugeArray<Role> roles_;
  HugeArray<std::uint8_t> category_ids_;
  HugeArray<NameId> names_;
  HugeArray<TrackId> tracks_of_events_;
  HugeArray<std::int64_t> begins_ns_;
  HugeArray<std::int64_t> durations_ns_;
  SparseColumn<EventId, std::int64_t> arrow_ids_;
  // One column an argument: integers, identifiers and reals by their bits, or the ids of names and JSON.
  std::array<IntegerColumn<EventId>, argument_count> integer_columns_;
  std::array<SparseColumn<EventId, std::uint32_t>, argument_count> id_columns_;
  SparseColumn<EventId, JsonId> other_arguments_;

  TextIndex texts_;
  TextIndex jsons_;
  std::vector<std::string> categories_;
  std::vector<Track> tracks_;
  std::vector<Stream> streams_;
  SparseColumn<EventId, StreamId> streams_of_events_;
  HugeArray<EventId> gpu_events_;
  std::array<std::size_t, role_count> role_counts_{};

  TraceMetadata metadata_;
  Diagnostics diagnostics_;
  std::optional<PartialRead> partial_;
};
}  // namespace kinetoscope
