#pragma once

// Windows of the events array to tokens. A token is a key and a scalar's text, or the whole text of a list or object;
// it points into the batch's own buffers. What the tokens mean is event_fields.hpp's to say, on another thread where
// there are two.
//
// Events and their arguments are checked for their form; of lists and objects inside them only that brackets match in
// number, for they are kept as text and checked once a distinct text.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/diagnostics.hpp"
#include "core/base/huge_array.hpp"
#include "core/io/document_reader.hpp"
#include "core/trace/importers/json_token.hpp"
#include "core/trace/importers/structurals.hpp"
#include "core/trace/metadata.hpp"

namespace kinetoscope::importers {

/// A field of an event, or one of its `args`. 24 bytes: there are a dozen an event.
class FieldToken {
 public:
  static constexpr std::size_t longest_key_bytes = (std::size_t{1} << 24) - 1;

  FieldToken() = default;
  FieldToken(std::string_view key, const Token& value, bool is_argument) noexcept
      : key_begin_(key.data()),
        value_begin_(value.text.data()),
        value_bytes_(static_cast<std::uint32_t>(value.text.size())),
        rest_(static_cast<std::uint32_t>(key.size()) | static_cast<std::uint32_t>(value.kind) << 24 |
              static_cast<std::uint32_t>(is_argument) << 31) {}

  [[nodiscard]] std::string_view key() const noexcept { return {key_begin_, rest_ & longest_key_bytes}; }
  [[nodiscard]] Token value() const noexcept {
    return {{value_begin_, value_bytes_}, static_cast<TokenKind>(rest_ >> 24 & 0x7f)};
  }
  [[nodiscard]] bool is_argument() const noexcept { return rest_ >> 31 != 0; }

 private:
  const char* key_begin_ = nullptr;
  const char* value_begin_ = nullptr;
  std::uint32_t value_bytes_ = 0;
  std::uint32_t rest_ = 0;  // one word, so that it is written at once: 24 bits of key length, 7 of kind, 1 of place
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

/// Walks windows, each by itself. Not shared by threads.
class WindowWalker {
 public:
  /// Tokenizes a batch of events, up to `reached`; leaves other pieces alone. Adds to `batch.tokens`.
  void operator()(TokenBatch& batch);
  /// Tokenizes the elements of text[begin, end), whose neighbouring bytes are borrowed for brackets, as if they stood
  /// at `offset`; how far it came in `text`.
  [[nodiscard]] std::size_t walk(char* text, std::size_t begin, std::size_t end, std::uint64_t offset,
                                 TokenLists& lists);

 private:
  Structurals structurals_;
};
}  // namespace kinetoscope::importers
