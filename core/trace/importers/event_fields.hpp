#pragma once

// From tokens to columns: what each key of an event means, and what is said of values that do not fit. Field order does
// not matter; the last of equal keys counts. Texts are interned as they stand in the file: a name that came before
// costs a hash, whatever escapes it holds. Numbers are read from their tokens.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/importers/event_role.hpp"
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
  [[nodiscard]] std::int64_t arrow_id_of(const Token& token);
  /// Of what stands between a text's quotes.
  [[nodiscard]] NameId name_of(std::string_view raw);
  [[nodiscard]] TrackId track_of_tokens();
  [[nodiscard]] TraceBuilder::Category category_of_token();
  [[nodiscard]] EventIdentity identity(const TraceBuilder::Category& category) const;
  void count_identity(const EventIdentity& event);
  void count_times();
  void integer_argument(Argument argument, std::string_view key, const Token& token);
  void real_argument(Argument argument, std::string_view key, const Token& token);
  void text_argument(Argument argument, const Token& token);
  void other_field(std::string_view key, const Token& token);
  void other_member(std::string_view quoted_key, const Token& token);
  [[nodiscard]] std::string number_kept(std::string_view text);
  [[nodiscard]] JsonId json_of(const Token& token);
  void known_argument(Argument argument, std::string_view key, const Token& token);
  void count(const DiagnosticKind& kind);
  /// Counts a value of a kind that its field cannot have, and keeps it beside the arguments.
  void refuse(std::string_view key, const Token& token);

  /// What a text of the file became, and what is wrong with it: that counts for each event that bears it.
  template <typename T>
  struct Remembered {
    T value{};
    std::vector<const DiagnosticKind*> findings{};
  };
  /// The findings since `first`, which are those of a value that was just read.
  [[nodiscard]] std::vector<const DiagnosticKind*> findings_since(std::size_t first) const;
  void count_again(const std::vector<const DiagnosticKind*>& findings);

  TraceBuilder& builder_;
  RawTexts texts_;
  RawJsons jsons_;
  TextIndex raw_categories_;
  std::vector<Remembered<TraceBuilder::Category>> categories_;  // by the index in raw_categories_
  TextIndex raw_tracks_;
  std::vector<Remembered<TrackId>> tracks_;  // by the index in raw_tracks_
  // Neighbouring events mostly share category and track, and have the same arguments in the same order.
  std::string last_category_;
  std::size_t last_category_index_ = 0;
  std::string last_pid_;
  std::string last_tid_;
  std::size_t last_track_index_ = 0;
  std::array<Argument, 32> expected_arguments_{};

  // The event at hand.
  std::uint64_t offset_ = 0;
  Token category_;
  Token pid_;
  Token tid_;
  std::size_t arguments_seen_ = 0;
  EventFields fields_;
  // Unknown for a reason that is counted by itself.
  bool has_begin_defect_ = false;
  bool has_duration_defect_ = false;
  std::string other_;
  // Findings of the event at hand: they count only when it is committed.
  std::vector<const DiagnosticKind*> findings_;
};
}  // namespace kinetoscope::importers
