#pragma once

// How an importer fills a Trace: one event at a time, in file order, arguments first. An event that turns out to be
// broken half way is abandoned without a trace of it. finish() resolves what needs the whole file: names of processes
// and threads, streams, begin/end pairs.

#include <cstdint>
#include <string_view>

#include "core/base/ids.hpp"
#include "core/trace/trace.hpp"

namespace kinetoscope {

/// What all events have. Absent fields keep their defaults.
struct EventFields {
  Phase phase = Phase::missing;
  Role role = Role::unknown;
  std::uint8_t category = 0;  ///< of TraceBuilder::category
  NameId name = no_name;
  TrackId track{};
  std::int64_t begin_ns = unknown_time_ns;
  std::int64_t duration_ns = unknown_time_ns;
  std::int64_t arrow_id = 0;
};

class TraceBuilder {
 public:
  TraceBuilder();

  /// The event that set_… and append() are about.
  [[nodiscard]] EventId next_event() const noexcept { return id_at<EventId>(trace_.roles_.size()); }
  void set_integer(Argument argument, std::uint64_t bits) {
    trace_.integer_columns_[static_cast<std::size_t>(argument)].set(next_event(), bits);
  }
  void set_id(Argument argument, std::uint32_t id) {
    trace_.id_columns_[static_cast<std::size_t>(argument)].set(next_event(), id);
  }
  void set_other(std::string_view object_text);
  /// Throws Error limit_reached at 2^32 - 2 events.
  void append(const EventFields& fields);

  [[nodiscard]] NameId intern(std::string_view text) { return static_cast<NameId>(trace_.texts_.add(text).index); }
  [[nodiscard]] JsonId intern_json(std::string_view text) { return static_cast<JsonId>(trace_.jsons_.add(text).index); }
  /// A category's number and role. The 255th and later categories of one file share a number, named "(other)".
  struct Category {
    std::uint8_t id = 0;
    Role role = Role::unknown;
    bool is_known = true;
  };
  [[nodiscard]] Category category(std::string_view text);
  [[nodiscard]] TrackId track(const TrackPart& pid, const TrackPart& tid);
  [[nodiscard]] const Track& track_info(TrackId track) const noexcept { return trace_.track_info(track); }
  [[nodiscard]] std::string_view text(NameId name) const noexcept { return trace_.text(name); }
  [[nodiscard]] std::string_view json_text(JsonId json) const noexcept { return trace_.json_text(json); }

  [[nodiscard]] Diagnostics& diagnostics() noexcept { return trace_.diagnostics_; }
  [[nodiscard]] TraceMetadata& metadata() noexcept { return trace_.metadata_; }
  void set_partial(std::uint64_t offset, std::string_view reason) {
    trace_.partial_ = PartialRead{offset, std::string(reason)};
  }
  [[nodiscard]] std::size_t size() const noexcept { return trace_.size(); }

  [[nodiscard]] Trace finish() &&;

 private:
  void pair_begin_and_end();
  void name_tracks();
  void find_streams();
  void count_defects();
  void count_shape_defects();

  Trace trace_;
  TextIndex track_keys_;
};
}  // namespace kinetoscope
