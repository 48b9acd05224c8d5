#include "core/io/document_reader.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/error.hpp"
#include "core/io/event_cutter.hpp"
#include "core/io/json_escapes.hpp"

namespace kinetoscope::io {
namespace {

constexpr std::size_t longest_member_bytes = std::size_t{16} << 20;
/// How much is read without finding the end of an event before the slower cutter, which forgives quotes, is asked.
constexpr std::size_t suspicious_bytes = std::size_t{8} << 20;
constexpr std::size_t most_spare_buffers = 10;  // of two threads that each are some windows ahead

bool is_space(int character) { return character == ' ' || character == '\n' || character == '\t' || character == '\r'; }

/// Behind white space and commas from `at`.
std::size_t behind_separators(std::string_view text, std::size_t at) {
  while (at < text.size() && (is_space(text[at]) || text[at] == ',')) ++at;
  return at;
}

/// A scalar or a bracketed value from its first byte; incomplete when `text` may go on.
Cut cut_value(std::string_view text) {
  if (text.front() == '{' || text.front() == '[') return cut_event(text);
  if (text.front() == '"') {
    for (std::size_t at = 1; at < text.size(); ++at) {
      if (text[at] == '\\') {
        ++at;
      } else if (text[at] == '"') {
        return {CutResult::complete, at + 1};
      }
    }
    return {CutResult::incomplete, 0};
  }
  const std::size_t end = text.find_first_of(",}] \n\r\t");
  if (end == std::string_view::npos) return {CutResult::incomplete, 0};
  return end == 0 ? Cut{CutResult::broken, 0} : Cut{CutResult::complete, end};
}

/// Without its escapes; as written where one is invalid.
std::string key_of(std::string_view raw) {
  if (raw.find('\\') == std::string_view::npos) return std::string(raw);
  const std::optional<Unescaped> unescaped = unescape(raw);
  return unescaped ? unescaped->text : std::string(raw);
}

/// How much of a value is known to belong to it, where `text` begins with it.
std::size_t known_length(const Cut& cut, std::string_view text) {
  return cut.result == CutResult::incomplete ? text.size() : cut.length;
}

/// Finds the end of a member's value while more of it is read. Cost: O(length of the value), however much of the
/// document stands behind it.
class ValueEnd {
 public:
  /// `text` begins with the value, and at the later calls goes on from what it was.
  Cut find(std::string_view text, bool is_whole) {
    if (text.front() != '{' && text.front() != '[') return cut_value(text);
    // The scanner first: asking the cutter again from the start after each read would be quadratic.
    for (std::size_t step = 256; scanner_.last_end() == EventScanner::none && scanned_ < text.size(); step *= 2) {
      const std::size_t to = std::min(text.size(), scanned_ + step);
      scanner_.scan(text.data(), scanned_, to);
      scanned_ = to;
    }
    if (scanner_.last_end() == EventScanner::none && !is_whole) return {CutResult::incomplete, 0};
    const Cut cut = cut_event(text);
    return cut.result == CutResult::broken ? cut_by_brackets(text) : cut;
  }

 private:
  EventScanner scanner_;
  std::size_t scanned_ = 0;
};
}  // namespace

DocumentReader::DocumentReader(ByteSource& source, std::size_t window_bytes, std::size_t longest_event_bytes)
    : source_(source),
      longest_event_bytes_(std::max<std::size_t>(longest_event_bytes, 1)),
      window_bytes_(std::clamp<std::size_t>(window_bytes, 1, longest_event_bytes_)),
      buffer_(window_bytes_),
      spare_(most_spare_buffers) {}

DocumentPiece DocumentReader::next() {
  switch (state_) {
    case State::start: return start();
    case State::members: return member();
    case State::events: return events();
    case State::behind: return stop(DocumentPiece::Kind::end);
  }
  return stop(DocumentPiece::Kind::end);
}

void DocumentReader::recycle(PaddedBuffer buffer) {
  // A buffer that grew for one long event is not kept: memory stays that of a few windows.
  if (buffer.capacity() == window_bytes_) spare_.give(std::move(buffer));
}

PaddedBuffer DocumentReader::fresh_buffer(std::size_t capacity) {
  if (capacity <= window_bytes_) {
    if (std::optional<PaddedBuffer> buffer = spare_.take()) return std::move(*buffer);
  }
  return PaddedBuffer(std::max(capacity, window_bytes_));
}

DocumentPiece DocumentReader::stop(DocumentPiece::Kind kind) const {
  DocumentPiece piece;
  piece.kind = kind;
  const bool is_cut = kind == DocumentPiece::Kind::inside || kind == DocumentPiece::Kind::between;
  piece.offset = offset_ + (is_cut ? available() : 0);
  return piece;
}

void DocumentReader::consume(std::size_t count) noexcept {
  begin_ += count;
  offset_ += count;
}

/// Reads more behind what is available, in a larger buffer if need be; false at the end of the source.
bool DocumentReader::fill_more() {
  if (at_end_) return false;
  if (filled_ == buffer_.capacity()) {
    if (begin_ > buffer_.capacity() / 2) {
      std::memmove(buffer_.data(), text(), available());
    } else {
      // Twice as large, but no larger than an event may be.
      const std::size_t largest = longest_event_bytes_ + window_bytes_;
      const std::size_t doubled = buffer_.capacity() * 2;
      PaddedBuffer larger(buffer_.capacity() < largest ? std::min(doubled, largest) : doubled);
      std::memcpy(larger.data(), text(), available());
      std::swap(buffer_, larger);
    }
    filled_ -= begin_;
    begin_ = 0;
  }
  const std::size_t count = read_fully(source_, {buffer_.data() + filled_, buffer_.capacity() - filled_});
  filled_ += count;
  at_end_ = filled_ < buffer_.capacity();
  return count > 0;
}

bool DocumentReader::ensure(std::size_t count) {
  while (available() < count) {
    if (!fill_more()) return false;
  }
  return true;
}

/// The next byte, or -1 at the end.
int DocumentReader::peek() { return ensure(1) ? static_cast<unsigned char>(*text()) : -1; }

void DocumentReader::skip_space() {
  while (is_space(peek())) consume(1);
}

DocumentPiece DocumentReader::start() {
  if (ensure(3) && std::string_view(text(), 3) == "\xef\xbb\xbf") consume(3);
  skip_space();
  const int first = peek();
  if (first == -1) throw Error({.code = ErrorCode::empty_input, .problem = "there is nothing but white space"});
  if (first != '{' && first != '[') {
    throw Error({.code = ErrorCode::not_a_trace, .problem = "the document begins with neither { nor ["});
  }
  consume(1);
  has_events_ = first == '[';
  begins_list_ = has_events_;
  root_depth_ = first == '{' ? 1 : 0;
  state_ = first == '{' ? State::members : State::events;
  return next();
}

DocumentPiece DocumentReader::close_root() {
  consume(1);
  if (--root_depth_ > 0) return member();
  look_behind();
  return stop(DocumentPiece::Kind::end);
}

void DocumentReader::look_behind() {
  state_ = State::behind;
  skip_space();
  has_text_behind_ = peek() != -1;
}

/// The window up to the array's closing bracket, which is passed over.
DocumentPiece DocumentReader::take_last_events(std::size_t length) {
  DocumentPiece piece = take_events(length);
  consume(1);
  if (root_depth_ > 0) {
    state_ = State::members;
  } else {
    look_behind();
  }
  return piece;
}

DocumentPiece DocumentReader::member() {
  for (;;) {
    skip_space();
    const int first = peek();
    if (first == ',') {
      consume(1);
      skip_space();
      if (peek() == '}' || peek() == ',') ++extra_commas_;
      continue;
    }
    if (first == '}') return close_root();
    if (first == -1) return stop(DocumentPiece::Kind::between);
    if (first != '"') return stop(DocumentPiece::Kind::broken);
    DocumentPiece piece;
    piece.kind = DocumentPiece::Kind::member;
    Cut key = cut_value({text(), available()});
    while (key.result == CutResult::incomplete && available() <= longest_member_bytes && fill_more()) {
      key = cut_value({text(), available()});
    }
    if (known_length(key, {text(), available()}) > longest_member_bytes) return stop(DocumentPiece::Kind::too_long);
    if (key.result != CutResult::complete) return stop(DocumentPiece::Kind::inside);
    piece.key = key_of({text() + 1, key.length - 2});
    consume(key.length);
    skip_space();
    if (peek() == -1) return stop(DocumentPiece::Kind::inside);
    if (peek() != ':') return stop(DocumentPiece::Kind::broken);
    consume(1);
    skip_space();
    const int value = peek();
    if (piece.key == "traceEvents" && (value == '[' || value == '{')) {
      consume(1);
      if (value == '{') {
        ++root_depth_;
        ++nested_levels_;
        continue;
      }
      if (has_events_) ++repeated_arrays_;
      has_events_ = true;
      begins_list_ = true;
      scanner_.reset();
      scanned_ = 0;
      state_ = State::events;
      return events();
    }
    if (!read_member_value(piece)) return piece;  // the piece says how it ended
    if (piece.kind == DocumentPiece::Kind::member) return piece;
  }
}

/// Fills `piece` with the value and returns true, or with a stop and returns false. A member that is too long is passed
/// over: its kind becomes events, and the caller goes on.
bool DocumentReader::read_member_value(DocumentPiece& piece) {
  piece.offset = offset_;
  if (peek() == -1) {
    piece = stop(DocumentPiece::Kind::inside);
    return false;
  }
  for (ValueEnd end;;) {
    const std::string_view window(text(), available());
    const Cut cut = end.find(window, at_end_);
    if (known_length(cut, window) > longest_event_bytes_) {
      piece = stop(DocumentPiece::Kind::too_long);
      return false;
    }
    if (cut.result == CutResult::broken || (cut.result == CutResult::incomplete && at_end_)) {
      piece = stop(cut.result == CutResult::broken ? DocumentPiece::Kind::broken : DocumentPiece::Kind::inside);
      return false;
    }
    if (cut.result == CutResult::complete) {
      if (cut.length > longest_member_bytes) {
        ++skipped_members_;
        piece.kind = DocumentPiece::Kind::events;
      } else {
        piece.buffer = PaddedBuffer(cut.length);
        piece.begin = 0;
        piece.size = cut.length;
        std::memcpy(piece.text(), text(), cut.length);
      }
      consume(cut.length);
      return true;
    }
    fill_more();
  }
}

DocumentPiece DocumentReader::take_events(std::size_t length) {
  DocumentPiece piece;
  piece.kind = DocumentPiece::Kind::events;
  piece.begin = begin_;
  piece.size = length;
  piece.offset = offset_;
  piece.begins_list = std::exchange(begins_list_, false);
  consume(length);
  if (length < available() / 8) {
    // A short list in a full window: copying it is cheaper than copying what stands behind it.
    piece.buffer = PaddedBuffer(length);
    piece.begin = 0;
    std::memcpy(piece.text(), text() - length, length);
    scanner_.reset();
    scanned_ = 0;
    return piece;
  }
  PaddedBuffer rest = fresh_buffer(available());
  std::memcpy(rest.data(), text(), available());
  piece.buffer = std::move(buffer_);
  buffer_ = std::move(rest);
  filled_ -= begin_;
  begin_ = 0;
  scanner_.reset();
  scanned_ = 0;
  return piece;
}

DocumentPiece DocumentReader::events() {
  while (!is_damaged_) {
    // A window is cut when the buffer is full: as few pieces as possible.
    if (!at_end_ && filled_ < buffer_.capacity()) fill_more();
    scanner_.scan(text(), scanned_, available());
    scanned_ = available();
    if (available() > longest_event_bytes_) break;  // some event may be too long: they are looked at one by one
    if (scanner_.array_end() != EventScanner::none) return take_last_events(scanner_.array_end());
    if (scanner_.last_end() != EventScanner::none) return take_events(scanner_.last_end());
    if (at_end_ || available() > suspicious_bytes) break;
    if (behind_separators({text(), available()}, 0) == available()) return take_events(available());
    fill_more();
  }
  is_damaged_ = true;
  return cut_damaged();
}

/// The slow way: event by event, with the cutter that forgives quotes inside strings. Also how the rest of every cut
/// file is looked at.
DocumentPiece DocumentReader::cut_damaged() {
  if (!at_end_ && filled_ < buffer_.capacity()) fill_more();
  std::size_t length = 0;
  for (;;) {
    const std::string_view window(text(), available());
    const std::size_t start = behind_separators(window, length);
    if (start < window.size() && window[start] == ']') {
      is_damaged_ = false;
      return take_last_events(start);
    }
    const std::string_view rest = window.substr(start);
    const Cut cut = rest.empty() ? Cut{CutResult::incomplete, 0} : cut_value(rest);
    const bool is_too_long = known_length(cut, rest) > longest_event_bytes_;
    if (cut.result == CutResult::complete && !is_too_long) {
      length = start + cut.length;
      continue;
    }
    if (length > 0) return take_events(length);
    if (cut.result == CutResult::broken || is_too_long) {
      consume(start);
      return stop(is_too_long ? DocumentPiece::Kind::too_long : DocumentPiece::Kind::broken);
    }
    if (at_end_) return stop(rest.empty() ? DocumentPiece::Kind::between : DocumentPiece::Kind::inside);
    // Separators by themselves are no reason to hold more than a window.
    if (rest.empty() && start > 0) return take_events(start);
    fill_more();
  }
}
}  // namespace kinetoscope::io
