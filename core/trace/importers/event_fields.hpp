#pragma once

// From tokens to one event's fields and arguments: what each key means, and what is said of values that do not fit. The
// parser hands over every field of an event in file order, then asks for the event.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/importers/json_token.hpp"
#include "core/trace/importers/raw_text.hpp"
#include "core/trace/trace_builder.hpp"

namespace kinetoscope::importers {

class EventFieldReader {
 public:
  explicit EventFieldReader(TraceBuilder& builder);

  /// A new event, at `offset` of the document.
  void begin(std::uint64_t offset) noexcept;
  /// A field beside `args`. `token` is trimmed, a list or object whole.
  void field(std::string_view key, std::string_view token);
  /// A field of `args`. False when the token is no JSON value, so that the event has to be refused.
  void argument(std::string_view key, std::string_view token);
  /// A token came by that no JSON has: the event has to be refused.
  [[nodiscard]] bool is_refused() const noexcept { return is_refused_; }
  /// Appends the event, and counts what was wrong with it.
  void commit();
  /// Forgets the event.
  void abandon() noexcept;
  /// Appends an element that is no object, so that the numbering stays that of the file.
  void append_non_event(std::uint64_t offset);

 private:
  struct TokenTrack {
    TrackId track{};
    std::int64_t pid_number = 0;
  };

  [[nodiscard]] std::int64_t time_of(std::string_view token);
  [[nodiscard]] TrackPart part_of(std::string_view token);
  [[nodiscard]] NameId text_of(std::string_view token);
  [[nodiscard]] TrackId track_of_tokens();
  [[nodiscard]] TraceBuilder::Category category_of(std::string_view raw);
  [[nodiscard]] Role role_here(const TraceBuilder::Category& category) const;
  void integer_argument(Argument argument, std::string_view key, std::string_view token, TokenKind kind);
  void real_argument(Argument argument, std::string_view key, std::string_view token, TokenKind kind);
  void text_argument(Argument argument, std::string_view token, TokenKind kind);
  void other_field(std::string_view key, std::string_view token);
  void count(const DiagnosticKind& kind);

  TraceBuilder& builder_;
  RawTexts texts_;
  TextIndex raw_categories_;
  std::vector<TraceBuilder::Category> categories_;  // by the index in raw_categories_
  TextIndex raw_tracks_;
  std::vector<TrackId> tracks_;  // by the index in raw_tracks_
  std::string track_key_;
  std::string last_track_key_;
  TrackId last_track_{};

  // The event at hand.
  std::uint64_t offset_ = 0;
  std::string_view category_token_;
  std::string_view pid_token_;
  std::string_view tid_token_;
  EventFields fields_;
  std::string other_;
  bool is_refused_ = false;
  // Findings of the event at hand: they count only when it is committed.
  std::vector<const DiagnosticKind*> findings_;
};
}  // namespace kinetoscope::importers
