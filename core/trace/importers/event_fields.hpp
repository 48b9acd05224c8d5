#pragma once

// From tokens to columns: what each key of an event means, and what is said of values that do not fit. Field order does
// not matter; the last of equal keys counts. Texts are interned as they stand in the file: a name that came before
// costs a hash, whatever escapes it holds. Numbers are read from their tokens.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/importers/event_tokenizer.hpp"
#include "core/trace/importers/json_token.hpp"
#include "core/trace/importers/raw_json.hpp"
#include "core/trace/importers/raw_text.hpp"
#include "core/trace/trace_builder.hpp"

namespace kinetoscope::importers {

class EventFieldReader {
 public:
  explicit EventFieldReader(TraceBuilder& builder);

  /// Appends the events of a batch, in order, and counts what was wrong with them.
  void append(const TokenBatch& batch);

 private:
  void begin(std::uint64_t offset) noexcept;
  void field(std::string_view key, const Token& token);
  void unknown_field(std::string_view key, const Token& token);
  void argument(std::string_view key, const Token& token);
  void commit();
  void append_non_event(std::uint64_t offset);
  [[nodiscard]] std::int64_t time_of(const Token& token);
  [[nodiscard]] TrackPart part_of(const Token& token);
  [[nodiscard]] NameId text_of(const Token& token);
  [[nodiscard]] TrackId track_of_tokens();
  [[nodiscard]] TraceBuilder::Category category_of_token();
  [[nodiscard]] Role role_here(const TraceBuilder::Category& category) const;
  void integer_argument(Argument argument, std::string_view key, const Token& token);
  void real_argument(Argument argument, std::string_view key, const Token& token);
  void text_argument(Argument argument, const Token& token);
  void other_field(std::string_view key, const Token& token);
  void other_member(std::string_view quoted_key, const Token& token);
  [[nodiscard]] JsonId json_of(const Token& token);
  void known_argument(Argument argument, std::string_view key, const Token& token);
  void count(const DiagnosticKind& kind);

  TraceBuilder& builder_;
  RawTexts texts_;
  RawJsons jsons_;
  TextIndex raw_categories_;
  std::vector<TraceBuilder::Category> categories_;  // by the index in raw_categories_
  TextIndex raw_tracks_;
  std::vector<TrackId> tracks_;  // by the index in raw_tracks_
  // Neighbouring events mostly share category and track, and have the same arguments in the same order.
  std::string last_category_;
  TraceBuilder::Category last_category_found_;
  std::string last_pid_;
  std::string last_tid_;
  TrackId last_track_{};
  bool has_last_track_ = false;
  std::array<Argument, 32> expected_arguments_{};

  // The event at hand.
  std::uint64_t offset_ = 0;
  Token category_;
  Token pid_;
  Token tid_;
  std::size_t arguments_seen_ = 0;
  EventFields fields_;
  std::string other_;
  // Findings of the event at hand: they count only when it is committed.
  std::vector<const DiagnosticKind*> findings_;
};
}  // namespace kinetoscope::importers
