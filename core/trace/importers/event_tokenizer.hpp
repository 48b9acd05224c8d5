#pragma once

// JSON events to tokens: each window of the events array walked by simdjson's on-demand parser, which also checks UTF-8
// and control characters. A token is a key and a scalar's text, or the whole text of a list or object.
//
// The clean path never looks at a byte twice for the sake of damage: a window that the parser refuses is tried again
// event by event, and only an event refused by itself is repaired. Tokens point into the batch's own buffers. Meaning
// is not known here: that is event_fields.hpp's, on another thread where there are two.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/diagnostics.hpp"
#include "core/base/pool.hpp"
#include "core/io/document_reader.hpp"
#include "core/trace/importers/json_token.hpp"

namespace kinetoscope::importers {

/// A field of an event, or one of its `args`. 24 bytes: there are a dozen an event.
struct FieldToken {
  const char* key_begin = nullptr;
  const char* value_begin = nullptr;
  std::uint32_t value_bytes = 0;
  std::uint32_t key_bytes : 24 = 0;
  std::uint32_t kind_number : 7 = 0;
  std::uint32_t is_argument : 1 = 0;

  [[nodiscard]] std::string_view key() const noexcept { return {key_begin, key_bytes}; }
  [[nodiscard]] Token value() const noexcept {
    return {{value_begin, value_bytes}, static_cast<TokenKind>(kind_number)};
  }
};
static_assert(sizeof(FieldToken) == 24);

struct EventTokens {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  std::uint64_t offset = 0;
  bool is_event = true;  ///< false for an element that is no object: it has no tokens, and keeps its number
};

/// The lists of a batch, apart so that they can be used again.
struct TokenLists {
  std::vector<FieldToken> fields;
  std::vector<EventTokens> events;
};

/// What one piece of the document became.
struct TokenBatch {
  io::DocumentPiece piece;  ///< a member as it was read; of events, the text that the tokens point into
  TokenLists tokens;
  std::vector<io::PaddedBuffer> repaired;  ///< texts of repaired events: tokens point into them, too
  Diagnostics diagnostics;                 ///< of repairs
  bool is_broken = false;                  ///< a structural defect stands at broken_offset: nothing after it is used
  std::uint64_t broken_offset = 0;
};
[[nodiscard]] inline bool is_last(const TokenBatch& batch) noexcept { return batch.is_broken || is_last(batch.piece); }

/// Where document pieces come from: a reader, or a thread that reads ahead.
class PieceSource {
 public:
  virtual ~PieceSource() = default;
  [[nodiscard]] virtual io::DocumentPiece next() = 0;
};

class EventTokenizer {
 public:
  /// `pieces` must outlive this.
  explicit EventTokenizer(PieceSource& pieces);
  EventTokenizer(const EventTokenizer&) = delete;
  EventTokenizer& operator=(const EventTokenizer&) = delete;
  ~EventTokenizer();

  /// The next piece's tokens. Throws what the source throws.
  [[nodiscard]] TokenBatch next();
  /// Gives a batch's lists back for reuse; from any thread.
  void recycle(TokenLists lists);

 private:
  class Walker;
  void tokenize(TokenBatch& batch, bool may_go_on);
  void tokenize_carefully(TokenBatch& batch, std::size_t from, bool may_go_on);
  [[nodiscard]] bool add_sound(TokenBatch& batch, std::size_t at, std::size_t length);
  [[nodiscard]] bool add_repaired(TokenBatch& batch, std::string_view element, std::uint64_t offset);
  void take_rest(TokenBatch& batch);
  void count_commas(TokenBatch& batch, std::size_t commas, std::uint64_t offset);
  [[nodiscard]] std::size_t skip_separators(std::string_view text, std::size_t at);
  [[nodiscard]] TokenLists fresh_lists();

  PieceSource& pieces_;
  std::unique_ptr<Walker> walker_;
  std::string rest_;  // of a damaged file: an event begun in one window that goes on in the next
  std::uint64_t rest_offset_ = 0;
  std::optional<io::DocumentPiece> postponed_;  // behind a batch made of the rest
  std::size_t commas_pending_ = 0;              // since the last element
  bool has_seen_element_ = false;
  Pool<TokenLists> spare_;
};
}  // namespace kinetoscope::importers
