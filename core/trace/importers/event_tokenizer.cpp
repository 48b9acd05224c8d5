#include "core/trace/importers/event_tokenizer.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include <simdjson.h>

#include "core/io/diagnostics.hpp"
#include "core/io/event_cutter.hpp"
#include "core/io/json_escapes.hpp"
#include "core/io/json_repair.hpp"

namespace kinetoscope::importers {
namespace {
namespace ondemand = simdjson::ondemand;

constexpr std::uint32_t longest_key_bytes = (1u << 24) - 1;
/// How far the end of an element that the parser refuses is looked for beyond its window: each further one looks at it
/// from its start again.
constexpr std::size_t longest_damaged_bytes = std::size_t{16} << 20;

bool is_separator(char c) { return c == ',' || static_cast<unsigned char>(c) <= ' '; }

/// The key's text: from its first character to the quote before the colon before the value.
std::string_view key_text(const char* begin, const char* value) {
  const char* end = value - 1;
  while (*end != '"') --end;
  return {begin, static_cast<std::size_t>(end - begin)};
}

/// Asked of objects only: there are few others in an event.
bool is_args(std::string_view key) {
  if (key == "args") return true;
  if (key.find('\\') == std::string_view::npos) return false;
  const std::optional<io::Unescaped> unescaped = io::unescape(key);
  return unescaped && unescaped->text == "args";
}

/// Of a value that simdjson has walked: an object, a list or a scalar. 0 when the two disagree about its end.
std::size_t length_of_value(std::string_view text) {
  if (text.front() == '{' || text.front() == '[') {
    const io::Cut cut = io::cut_event(text);
    return cut.result == io::CutResult::complete ? cut.length : 0;
  }
  const std::size_t end = text.find_first_of(",]} \n\r\t");
  return end == std::string_view::npos ? text.size() : end;
}
}  // namespace

/// Holds the parser; fills one batch's lists.
class WindowWalker::Parser {
 public:
  /// Adds the events of `[...]`, whose first byte after the bracket stands at `offset`. How far it came: the start of
  /// the first event that was refused, or the end. The byte at `text` is the opening bracket.
  std::size_t walk(char* text, std::size_t size, std::uint64_t offset, TokenLists& lists);

 private:
  bool walk_event(ondemand::object object, HugeArray<FieldToken>& fields);
  bool walk_arguments(ondemand::value value, HugeArray<FieldToken>& fields);
  static bool add_field(std::string_view key, ondemand::value& value, std::string_view raw, bool is_argument,
                        HugeArray<FieldToken>& fields);
  static bool read_nested(ondemand::value& value, Token& token);

  /// Of text whose brackets do not match, the parser can give tokens beyond its end.
  [[nodiscard]] bool is_inside(std::string_view raw) const noexcept {
    return raw.data() > begin_ && raw.data() < end_ && raw.size() <= static_cast<std::size_t>(end_ - raw.data());
  }

  ondemand::parser parser_;
  const char* begin_ = nullptr;  // of the text at hand, at its opening bracket
  const char* end_ = nullptr;    // at its closing bracket
};

bool WindowWalker::Parser::read_nested(ondemand::value& value, Token& token) {
  if (token.kind == TokenKind::list) {
    ondemand::array list;
    return value.get_array().get(list) == simdjson::SUCCESS && list.raw_json().get(token.text) == simdjson::SUCCESS;
  }
  ondemand::object object;
  return value.get_object().get(object) == simdjson::SUCCESS && object.raw_json().get(token.text) == simdjson::SUCCESS;
}

inline bool WindowWalker::Parser::add_field(std::string_view key, ondemand::value& value, std::string_view raw,
                                            bool is_argument, HugeArray<FieldToken>& fields) {
  Token token = scalar_token(raw);
  if (token.kind == TokenKind::list || token.kind == TokenKind::object) {
    if (!read_nested(value, token)) return false;
  }
  if (token.kind == TokenKind::invalid || key.size() > longest_key_bytes) return false;
  fields.push_back({key.data(), token.text.data(), static_cast<std::uint32_t>(token.text.size()),
                    static_cast<std::uint32_t>(key.size()) & longest_key_bytes,
                    static_cast<std::uint32_t>(token.kind) & 0x7f, is_argument ? 1u : 0u});
  return true;
}

bool WindowWalker::Parser::walk_arguments(ondemand::value value, HugeArray<FieldToken>& fields) {
  ondemand::object object;
  if (value.get_object().get(object) != simdjson::SUCCESS) return false;
  for (auto result : object) {
    ondemand::field field;
    if (std::move(result).get(field) != simdjson::SUCCESS) return false;
    const std::string_view raw = field.value().raw_json_token();
    if (!is_inside(raw)) return false;
    if (!add_field(key_text(field.key().raw(), raw.data()), field.value(), raw, true, fields)) return false;
  }
  return true;
}

bool WindowWalker::Parser::walk_event(ondemand::object object, HugeArray<FieldToken>& fields) {
  for (auto result : object) {
    ondemand::field field;
    if (std::move(result).get(field) != simdjson::SUCCESS) return false;
    const std::string_view raw = field.value().raw_json_token();
    if (!is_inside(raw)) return false;
    const std::string_view key = key_text(field.key().raw(), raw.data());
    if (raw.front() == '{' && is_args(key)) {
      if (!walk_arguments(field.value(), fields)) return false;
    } else if (!add_field(key, field.value(), raw, false, fields)) {
      return false;
    }
  }
  return true;
}

std::size_t WindowWalker::Parser::walk(char* text, std::size_t size, std::uint64_t offset, TokenLists& lists) {
  // simdjson reads up to its padding behind the text, and checks that the caller promises that much.
  static_assert(simdjson::SIMDJSON_PADDING <= io::PaddedBuffer::room_behind - 2);
  const simdjson::padded_string_view padded(text, size, size + simdjson::SIMDJSON_PADDING);
  ondemand::document document;
  ondemand::array events;
  if (parser_.iterate(padded).get(document) != simdjson::SUCCESS) return 1;
  if (document.get_array().get(events) != simdjson::SUCCESS) return 1;
  begin_ = text;
  end_ = text + size - 1;
  std::size_t reached = 0;  // the last element that was added
  // Behind it: what the parser refuses there stands after it. Where its end is in doubt, it is taken back.
  const auto behind_reached = [&]() -> std::size_t {
    if (reached == 0) return 1;
    const std::size_t length = length_of_value({text + reached, size - reached});
    if (length > 0) return reached + length;
    lists.fields.resize(lists.events.back().first);
    lists.events.pop_back();
    return reached;
  };
  for (auto result : events) {
    ondemand::value element;
    // get() takes an rvalue, which costs nothing here. NOLINTNEXTLINE(performance-move-const-arg)
    if (std::move(result).get(element) != simdjson::SUCCESS) return behind_reached();
    const std::string_view raw = element.raw_json_token();
    if (!is_inside(raw)) return behind_reached();
    const auto start = static_cast<std::size_t>(raw.data() - text);
    EventTokens event;
    event.first = static_cast<std::uint32_t>(lists.fields.size());
    event.offset = offset + start - 1;
    if (raw.front() != '{') {
      Token token = scalar_token(raw);
      if (token.kind == TokenKind::list && !read_nested(element, token)) return start;
      // A comma too many stands behind the last element, where commas are counted.
      if (token.kind == TokenKind::invalid) return raw.front() == ',' ? behind_reached() : start;
      event.is_event = false;
    } else {
      ondemand::object object;
      if (element.get_object().get(object) != simdjson::SUCCESS || !walk_event(object, lists.fields)) {
        lists.fields.resize(event.first);
        return start;
      }
    }
    reached = start;
    event.count = static_cast<std::uint32_t>(lists.fields.size()) - event.first;
    lists.events.push_back(event);
  }
  // A bracket too many ends the list early.
  const char* location = nullptr;
  return document.current_location().get(location) == simdjson::OUT_OF_BOUNDS ? size : behind_reached();
}

WindowWalker::WindowWalker() : parser_(std::make_unique<Parser>()) {}

WindowWalker::~WindowWalker() = default;

std::size_t WindowWalker::walk(char* text, std::size_t begin, std::size_t end, std::uint64_t offset,
                               TokenLists& lists) {
  char* const array = text + begin - 1;
  const std::size_t size = end - begin + 2;
  const char before = std::exchange(array[0], '[');
  const char behind = std::exchange(array[size - 1], ']');
  const std::size_t reached = parser_->walk(array, size, offset, lists);
  array[0] = before;
  array[size - 1] = behind;
  return reached == size ? end : begin + reached - 1;
}

void WindowWalker::operator()(TokenBatch& batch) {
  if (batch.piece.kind != io::DocumentPiece::Kind::events) return;
  char* const text = batch.piece.text();
  std::size_t begin = 0;
  std::size_t end = batch.piece.size;
  while (begin < end && is_separator(text[begin])) ++begin;
  while (end > begin && is_separator(text[end - 1])) --end;
  batch.reached = begin == end ? end : walk(text, begin, end, batch.piece.offset + begin, batch.tokens);
}

TokenBatch EventTokenizer::next() {
  if (postponed_) return *std::exchange(postponed_, {});
  auto [batch, is_tokenized] = batches_.next();
  const auto kind = batch.piece.kind;
  if (kind == io::DocumentPiece::Kind::events) {
    if (batch.piece.begins_list) end_list(batch);
    if (!rest_.empty()) {
      rest_.append(batch.piece.text(), batch.piece.size);
      take_rest(batch);
      is_tokenized = false;
    }
    tokenize(batch, is_tokenized, true);
    return std::move(batch);
  }
  if (!rest_.empty()) {
    // What is left of a damaged window comes before whatever stands behind the window.
    postponed_ = std::exchange(batch, {});
    take_rest(batch);
    tokenize(batch, false, kind == io::DocumentPiece::Kind::inside);
    rest_.clear();
    return std::move(batch);
  }
  // Where the file is cut, a comma behind the last event is none too many.
  if (kind == io::DocumentPiece::Kind::member || kind == io::DocumentPiece::Kind::end) end_list(batch);
  return std::move(batch);
}

/// A comma before the end of a list is one too many.
void EventTokenizer::end_list(TokenBatch& batch) {
  batch.diagnostics.add(io_diagnostics::trailing_comma, batch.piece.offset, std::exchange(commas_pending_, 0));
  has_seen_element_ = false;
}

/// Makes the rest the batch's text.
void EventTokenizer::take_rest(TokenBatch& batch) {
  batch = TokenBatch();
  batch.piece.kind = io::DocumentPiece::Kind::events;
  batch.piece.buffer = io::PaddedBuffer(rest_.size());
  batch.piece.begin = 0;
  batch.piece.size = rest_.size();
  batch.piece.offset = rest_offset_;
  std::copy(rest_.begin(), rest_.end(), batch.piece.text());
  rest_.clear();
}

/// Between two elements stands one comma; `commas` were found there.
void EventTokenizer::count_commas(TokenBatch& batch, std::size_t commas, std::uint64_t offset) {
  const std::size_t expected = has_seen_element_ ? 1 : 0;
  if (commas > expected) batch.diagnostics.add(io_diagnostics::trailing_comma, offset, commas - expected);
  if (commas < expected) batch.diagnostics.add(io_diagnostics::missing_comma, offset);
  has_seen_element_ = true;
}

/// Passes over white space and commas, which are added to those pending.
std::size_t EventTokenizer::skip_separators(std::string_view text, std::size_t at) {
  for (; at < text.size() && is_separator(text[at]); ++at) {
    if (text[at] == ',') ++commas_pending_;
  }
  return at;
}

void EventTokenizer::tokenize(TokenBatch& batch, bool is_tokenized, bool may_go_on) {
  if (!is_tokenized) walker_(batch);
  const std::string_view text(batch.piece.text(), batch.piece.size);
  const std::size_t begin = skip_separators(text, 0);
  if (begin == text.size()) return;
  count_commas(batch, std::exchange(commas_pending_, 0), batch.piece.offset + begin);
  const std::size_t end = skip_separators(text, batch.reached);
  if (end == text.size()) return;
  commas_pending_ = 0;
  tokenize_carefully(batch, may_go_on);
}

/// By the rule that forgives quotes; where that finds the element broken, by brackets alone: the parser, which does not
/// look into lists, may take what the rule does not.
io::Cut EventTokenizer::cut_element(std::string_view text) {
  if (text.front() != '{' && text.front() != '[') return {io::CutResult::complete, length_of_value(text)};
  const io::Cut cut = io::cut_event(text);
  return cut.result == io::CutResult::broken ? io::cut_by_brackets(text) : cut;
}

/// Event by event: each is tokenized by itself, and repaired when the parser refuses it.
void EventTokenizer::tokenize_carefully(TokenBatch& batch, bool may_go_on) {
  const std::string_view text(batch.piece.text(), batch.piece.size);
  const std::size_t from = batch.reached;
  // The first element may be the one that count_commas() has seen already.
  bool is_counted = from < text.size() && !is_separator(text[from]);
  for (std::size_t at = from;;) {
    at = skip_separators(text, at);
    if (at == text.size()) return;
    const std::uint64_t offset = batch.piece.offset + at;
    const io::Cut cut = cut_element(text.substr(at));
    if (cut.result == io::CutResult::incomplete && may_go_on && text.size() - at <= longest_damaged_bytes) {
      rest_.assign(text.substr(at));
      rest_offset_ = offset;
      return;
    }
    if (!std::exchange(is_counted, false)) count_commas(batch, commas_pending_, offset);
    commas_pending_ = 0;
    const bool is_complete = cut.result == io::CutResult::complete && cut.length > 0;
    if (!is_complete ||
        !(add_sound(batch, at, cut.length) || add_repaired(batch, text.substr(at, cut.length), offset))) {
      batch.is_broken = true;
      batch.broken_offset = offset;
      return;
    }
    at += cut.length;
  }
}

/// The element in its place, between brackets that are put there for the parser and taken away again.
bool EventTokenizer::add_sound(TokenBatch& batch, std::size_t at, std::size_t length) {
  const std::size_t events_before = batch.tokens.events.size();
  const std::size_t fields_before = batch.tokens.fields.size();
  const std::size_t end = at + length;
  if (walker_.walk(batch.piece.text(), at, end, batch.piece.offset + at, batch.tokens) == end) return true;
  batch.tokens.events.resize(events_before);
  batch.tokens.fields.resize(fields_before);
  return false;
}

bool EventTokenizer::add_repaired(TokenBatch& batch, std::string_view element, std::uint64_t offset) {
  const std::optional<io::Repair> repair = io::repair_event(element, offset);
  if (!repair) return false;
  const std::size_t size = repair->text.size();
  io::PaddedBuffer buffer(size);
  std::memcpy(buffer.data(), repair->text.data(), size);
  if (walker_.walk(buffer.data(), 0, size, offset, batch.tokens) != size) return false;
  batch.diagnostics.merge(repair->diagnostics);
  batch.repaired.push_back(std::move(buffer));
  return true;
}
}  // namespace kinetoscope::importers
