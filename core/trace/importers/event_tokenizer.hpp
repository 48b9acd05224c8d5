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
#include <utility>
#include <vector>

#include "core/base/diagnostics.hpp"
#include "core/base/huge_array.hpp"
#include "core/io/document_reader.hpp"
#include "core/io/event_cutter.hpp"
#include "core/trace/importers/json_token.hpp"
#include "core/trace/metadata.hpp"

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
  HugeArray<FieldToken> fields;
  HugeArray<EventTokens> events;
};

/// What one piece of the document became.
struct TokenBatch {
  TokenBatch() = default;
  explicit TokenBatch(io::DocumentPiece from) : piece(std::move(from)) {}

  io::DocumentPiece piece;             ///< of events, the text that the tokens point into
  std::vector<MetadataEntry> members;  ///< of a piece that is a member: it, without its text, and those that follow it
  TokenLists tokens;
  std::size_t reached = 0;  ///< up to here the text is tokenized: all of it, or to what the parser refused
  std::vector<io::PaddedBuffer> repaired;  ///< texts of repaired events: tokens point into them, too
  Diagnostics diagnostics;                 ///< of repairs
  bool is_broken = false;                  ///< a structural defect stands at broken_offset: nothing after it is used
  std::uint64_t broken_offset = 0;
};
[[nodiscard]] inline bool is_last(const TokenBatch& batch) noexcept { return batch.is_broken || is_last(batch.piece); }

/// Walks windows, each by itself. Not shared by threads: it holds a parser.
class WindowWalker {
 public:
  WindowWalker();
  WindowWalker(const WindowWalker&) = delete;
  WindowWalker& operator=(const WindowWalker&) = delete;
  ~WindowWalker();

  /// Tokenizes a batch of events, up to `reached`; leaves other pieces alone. Adds to `batch.tokens`.
  void operator()(TokenBatch& batch);
  /// Tokenizes the elements of text[begin, end), whose neighbouring bytes are borrowed for brackets, as if they stood
  /// at `offset`; how far it came in `text`.
  [[nodiscard]] std::size_t walk(char* text, std::size_t begin, std::size_t end, std::uint64_t offset,
                                 TokenLists& lists);

 private:
  class Parser;
  std::unique_ptr<Parser> parser_;
};

/// Where batches come from, tokenized already or not: a reader, or a thread that reads ahead.
class BatchSource {
 public:
  virtual ~BatchSource() = default;
  struct Next {
    TokenBatch batch;
    bool is_tokenized = false;
  };
  [[nodiscard]] virtual Next next() = 0;
};

/// The sequence of batches, tokenized, repaired, and with what stands between their events accounted for.
class EventTokenizer {
 public:
  /// `batches` must outlive this.
  explicit EventTokenizer(BatchSource& batches) : batches_(batches) {}

  /// Throws what the source throws.
  [[nodiscard]] TokenBatch next();

 private:
  void tokenize(TokenBatch& batch, bool is_tokenized, bool may_go_on);
  void tokenize_carefully(TokenBatch& batch, bool may_go_on);
  [[nodiscard]] static io::Cut cut_element(std::string_view text);
  [[nodiscard]] bool add_sound(TokenBatch& batch, std::size_t at, std::size_t length);
  [[nodiscard]] bool add_repaired(TokenBatch& batch, std::string_view element, std::uint64_t offset);
  void take_rest(TokenBatch& batch);
  void end_list(TokenBatch& batch);
  void count_commas(TokenBatch& batch, std::size_t commas, std::uint64_t offset);
  [[nodiscard]] std::size_t skip_separators(std::string_view text, std::size_t at);

  BatchSource& batches_;
  WindowWalker walker_;
  std::string rest_;  // of a damaged file: an event begun in one window that goes on in the next
  std::uint64_t rest_offset_ = 0;
  std::optional<TokenBatch> postponed_;  // behind a batch made of the rest
  std::size_t commas_pending_ = 0;       // since the last element
  bool has_seen_element_ = false;
};
}  // namespace kinetoscope::importers
