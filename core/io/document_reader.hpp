#pragma once

// Reads a trace document as pieces: each top-level member, and the events by the window, cut where an event ends. So
// neither the compressed nor the decompressed document ever stands in memory whole.
//
// The document is `{"key": value, ..., "traceEvents": [event, ...], ...}`, or the bare array of events. Separators
// between events stay in the windows: together, they are all bytes between the array's brackets, and a
// window may hold nothing else. A member's value longer than 16 MiB is passed over; an event is held up to 256 MiB, and
// a longer one ends the document. Windows are only cut, never checked: JSON defects are found by whoever parses them.
// Buffers are handed out with the piece and come back with recycle().

#include <cstdint>
#include <string>

#include "core/base/diagnostics.hpp"
#include "core/base/huge_array.hpp"
#include "core/base/pool.hpp"
#include "core/io/byte_source.hpp"
#include "core/io/event_scanner.hpp"

namespace kinetoscope::io {

/// Bytes with room before and behind them: a parser may write one byte before the text and read 64 bytes behind it.
/// Large ones stand in huge pages.
class PaddedBuffer {
 public:
  static constexpr std::size_t room_before = 64;
  static constexpr std::size_t room_behind = 128;

  PaddedBuffer() = default;
  explicit PaddedBuffer(std::size_t capacity) : capacity_(capacity) {
    block_.grow(room_before + capacity + room_behind);
  }
  PaddedBuffer(PaddedBuffer&&) noexcept = default;
  PaddedBuffer& operator=(PaddedBuffer&&) noexcept = default;
  PaddedBuffer(const PaddedBuffer&) = delete;
  PaddedBuffer& operator=(const PaddedBuffer&) = delete;
  ~PaddedBuffer() = default;

  [[nodiscard]] char* data() const noexcept { return static_cast<char*>(block_.data()) + room_before; }
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }

 private:
  detail::HugeBlock block_;
  std::size_t capacity_ = 0;
};

struct DocumentPiece {
  enum class Kind : std::uint8_t {
    member,    ///< `key` and the value's text
    events,    ///< some events with their separators; the text may be written to
    end,       ///< the document ended as it should
    between,   ///< it ended between values, its brackets unclosed
    inside,    ///< it ended inside a value
    broken,    ///< something stands at `offset` that no document has there
    too_long,  ///< the value at `offset` has more bytes than are held
  };
  Kind kind = Kind::end;
  std::string key{};      ///< without quotes and escapes
  PaddedBuffer buffer{};  ///< holds the text
  std::size_t begin = 0;  ///< where the text begins in the buffer
  std::size_t size = 0;
  std::uint64_t offset = 0;  ///< where it begins in the document
  bool begins_list = false;  ///< events: the first window of its list

  [[nodiscard]] char* text() const noexcept { return buffer.data() + begin; }
};
/// No piece comes after this one.
[[nodiscard]] inline bool is_last(const DocumentPiece& piece) noexcept {
  return piece.kind != DocumentPiece::Kind::member && piece.kind != DocumentPiece::Kind::events;
}

class DocumentReader {
 public:
  /// With its padding, a block of memory: windows of 0.5 MB are as fast as larger ones and touch less memory.
  static constexpr std::size_t default_window_bytes =
      (std::size_t{512} << 10) - PaddedBuffer::room_before - PaddedBuffer::room_behind;
  static constexpr std::size_t default_longest_event_bytes = std::size_t{256} << 20;

  /// Any `window_bytes` from 1 gives the same events; smaller windows than an event grow to hold it. None is larger
  /// than `longest_event_bytes`.
  explicit DocumentReader(ByteSource& source, std::size_t window_bytes = default_window_bytes,
                          std::size_t longest_event_bytes = default_longest_event_bytes);

  /// The next piece; after end, between, inside, broken or too_long there is no other. Throws what the source throws,
  /// and Error not_a_trace when the document begins with neither brace nor bracket.
  [[nodiscard]] DocumentPiece next();
  /// Gives a piece's buffer back for reuse; from any thread.
  void recycle(PaddedBuffer buffer);

  /// After the last piece: whether traceEvents was there at all, how often it was nested, and text behind the end.
  [[nodiscard]] bool has_events() const noexcept { return has_events_; }
  [[nodiscard]] std::size_t nested_levels() const noexcept { return nested_levels_; }
  [[nodiscard]] bool has_text_behind() const noexcept { return has_text_behind_; }
  [[nodiscard]] std::uint64_t extra_commas() const noexcept { return extra_commas_; }
  /// How often traceEvents stood there again.
  [[nodiscard]] std::uint64_t repeated_arrays() const noexcept { return repeated_arrays_; }
  [[nodiscard]] std::uint64_t skipped_members() const noexcept { return skipped_members_; }

 private:
  enum class State : std::uint8_t { start, members, events, behind };

  [[nodiscard]] DocumentPiece start();
  [[nodiscard]] DocumentPiece member();
  [[nodiscard]] DocumentPiece events();
  [[nodiscard]] DocumentPiece take_events(std::size_t length);
  [[nodiscard]] DocumentPiece take_last_events(std::size_t length);
  [[nodiscard]] DocumentPiece cut_damaged();
  [[nodiscard]] DocumentPiece close_root();
  void look_behind();
  [[nodiscard]] DocumentPiece stop(DocumentPiece::Kind kind) const;
  [[nodiscard]] bool read_member_value(DocumentPiece& piece);

  [[nodiscard]] const char* text() const noexcept { return buffer_.data() + begin_; }
  [[nodiscard]] std::size_t available() const noexcept { return filled_ - begin_; }
  void consume(std::size_t count) noexcept;
  bool fill_more();
  bool ensure(std::size_t count);
  [[nodiscard]] int peek();
  void skip_space();
  [[nodiscard]] PaddedBuffer fresh_buffer(std::size_t capacity);

  ByteSource& source_;
  std::size_t longest_event_bytes_;
  std::size_t window_bytes_;
  State state_ = State::start;
  PaddedBuffer buffer_;
  std::size_t begin_ = 0;
  std::size_t filled_ = 0;
  std::uint64_t offset_ = 0;  // of begin_
  bool at_end_ = false;       // of the source
  bool is_damaged_ = false;   // the scanner lost its way once: cut event by event
  std::size_t root_depth_ = 0;
  EventScanner scanner_;
  bool begins_list_ = false;
  std::size_t scanned_ = 0;  // of available()
  Pool<PaddedBuffer> spare_;

  bool has_events_ = false;
  std::size_t nested_levels_ = 0;
  bool has_text_behind_ = false;
  std::uint64_t extra_commas_ = 0;
  std::uint64_t skipped_members_ = 0;
  std::uint64_t repeated_arrays_ = 0;
};
}  // namespace kinetoscope::io
