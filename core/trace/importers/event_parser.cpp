#include "core/trace/importers/event_parser.hpp"

#include <cstring>
#include <string>

#include <simdjson.h>

#include "core/base/error.hpp"
#include "core/io/document_reader.hpp"
#include "core/io/event_cutter.hpp"
#include "core/io/json_repair.hpp"
#include "core/trace/importers/event_fields.hpp"

namespace kinetoscope::importers {
namespace {
namespace ondemand = simdjson::ondemand;

bool is_separator(char c) {
  return c == ',' || static_cast<unsigned char>(c) <= ' ';
}

/// The key's text: from its first character to the quote before the colon before the value.
std::string_view key_text(const char* begin, const char* value) {
  const char* end = value - 1;
  while (*end != '"') --end;
  return {begin, static_cast<std::size_t>(end - begin)};
}

/// Of a value that simdjson has walked: an object, a list or a scalar.
std::size_t length_of_value(std::string_view text) {
  if (text.front() == '{' || text.front() == '[') return io::cut_event(text).length;
  const std::size_t end = text.find_first_of(",]} \n\r\t");
  return end == std::string_view::npos ? text.size() : end;
}
}  // namespace

class EventParser::Walker {
 public:
  explicit Walker(TraceBuilder& builder) : builder_(builder), fields_(builder) {}

  /// Appends the events of `[...]`; how far it came: the start of the first event that was refused, or the end.
  /// `text` points at the bracket.
  std::size_t walk(char* text, std::size_t size, std::uint64_t offset);
  /// One event that simdjson refused: true when it could be repaired. `text` is exactly the event.
  bool repair(std::string_view text, std::uint64_t offset);

  TraceBuilder& builder() noexcept { return builder_; }

 private:
  bool walk_event(ondemand::object object, std::uint64_t offset);
  bool walk_arguments(ondemand::value value);
  static bool whole_token(ondemand::value& value, std::string_view& token);

  TraceBuilder& builder_;
  EventFieldReader fields_;
  ondemand::parser parser_;
  io::PaddedBuffer repaired_;
};

/// A scalar's token, or the whole text of a list or object.
bool EventParser::Walker::whole_token(ondemand::value& value, std::string_view& token) {
  if (token.front() == '[') {
    ondemand::array list;
    return value.get_array().get(list) == simdjson::SUCCESS && list.raw_json().get(token) == simdjson::SUCCESS;
  }
  if (token.front() == '{') {
    ondemand::object object;
    return value.get_object().get(object) == simdjson::SUCCESS && object.raw_json().get(token) == simdjson::SUCCESS;
  }
  token = trimmed(token);
  return true;
}

bool EventParser::Walker::walk_arguments(ondemand::value value) {
  ondemand::object object;
  if (value.get_object().get(object) != simdjson::SUCCESS) return false;
  for (auto result : object) {
    ondemand::field field;
    if (std::move(result).get(field) != simdjson::SUCCESS) return false;
    const char* const key_begin = field.key().raw();
    ondemand::value& argument = field.value();
    std::string_view token = argument.raw_json_token();
    const std::string_view key = key_text(key_begin, token.data());
    if (!whole_token(argument, token)) return false;
    fields_.argument(key, trimmed(token));
  }
  return true;
}

bool EventParser::Walker::walk_event(ondemand::object object, std::uint64_t offset) {
  fields_.begin(offset);
  for (auto result : object) {
    ondemand::field field;
    if (std::move(result).get(field) != simdjson::SUCCESS) return false;
    const char* const key_begin = field.key().raw();
    ondemand::value& value = field.value();
    std::string_view token = value.raw_json_token();
    const std::string_view key = key_text(key_begin, token.data());
    if (key == "args" && token.front() == '{') {
      if (!walk_arguments(value)) return false;
    } else {
      if (!whole_token(value, token)) return false;
      fields_.field(key, trimmed(token));
    }
  }
  return !fields_.is_refused();
}

std::size_t EventParser::Walker::walk(char* text, std::size_t size, std::uint64_t offset) {
  // simdjson reads up to its padding behind the text, and checks that the caller promises that much.
  static_assert(simdjson::SIMDJSON_PADDING <= io::PaddedBuffer::room_behind - 2);
  const simdjson::padded_string_view padded(text, size, size + simdjson::SIMDJSON_PADDING);
  ondemand::document document;
  ondemand::array events;
  if (parser_.iterate(padded).get(document) != simdjson::SUCCESS) return 1;
  if (document.get_array().get(events) != simdjson::SUCCESS) return 1;
  std::size_t reached = 1;
  // Behind the element at `reached`, which was appended: what the parser refuses stands after it.
  const auto behind_reached = [&] {
    return reached == 1 ? 1 : reached + length_of_value({text + reached, size - reached});
  };
  for (auto result : events) {
    ondemand::value element;
    if (std::move(result).get(element) != simdjson::SUCCESS) return behind_reached();
    const std::string_view token = element.raw_json_token();
    reached = static_cast<std::size_t>(token.data() - text);
    const std::uint64_t event_offset = offset + reached - 1;
    if (token.front() != '{') {
      std::string_view whole = token;
      if (!whole_token(element, whole) || kind_of_token(trimmed(whole)) == TokenKind::invalid) return reached;
      fields_.append_non_event(event_offset);
      continue;
    }
    ondemand::object object;
    if (element.get_object().get(object) != simdjson::SUCCESS) return reached;
    if (!walk_event(object, event_offset)) {
      fields_.abandon();
      return reached;
    }
    fields_.commit();
  }
  // A bracket too many ends the list early.
  const char* location = nullptr;
  return document.current_location().get(location) == simdjson::OUT_OF_BOUNDS ? size : behind_reached();
}

bool EventParser::Walker::repair(std::string_view text, std::uint64_t offset) {
  const std::optional<io::Repair> repair = io::repair_event(text, offset);
  if (!repair) return false;
  const std::size_t size = repair->text.size() + 2;
  if (repaired_.capacity() < size) repaired_ = io::PaddedBuffer(size);
  char* const array = repaired_.data();
  array[0] = '[';
  std::memcpy(array + 1, repair->text.data(), repair->text.size());
  array[size - 1] = ']';
  if (walk(array, size, offset) != size) return false;
  builder_.diagnostics().merge(repair->diagnostics);
  return true;
}

EventParser::EventParser(TraceBuilder& builder) : walker_(std::make_unique<Walker>(builder)) {}

EventParser::~EventParser() = default;

EventParser::Progress EventParser::parse(char* text, std::size_t size, std::uint64_t offset, bool may_go_on) {
  std::size_t begin = 0;
  std::size_t end = size;
  std::size_t commas = 0;
  while (begin < end && is_separator(text[begin])) commas += static_cast<std::size_t>(text[begin++] == ',');
  while (end > begin && is_separator(text[end - 1])) --end;
  if (begin == end) return {size, false};

  char* const array = text + begin - 1;
  const std::size_t array_size = end - begin + 2;
  const char before = array[0];
  const char behind = array[array_size - 1];
  array[0] = '[';
  array[array_size - 1] = ']';
  const std::size_t reached = walker_->walk(array, array_size, offset + begin);
  array[0] = before;
  array[array_size - 1] = behind;
  if (reached == array_size) return {size, false};
  const std::size_t used = begin + reached - 1;
  Progress progress = parse_carefully({text + used, size - used}, offset + used, may_go_on);
  progress.used_bytes += used;
  return progress;
}

/// Event by event: each is parsed by itself, and repaired when it is refused.
EventParser::Progress EventParser::parse_carefully(std::string_view text, std::uint64_t offset, bool may_go_on) {
  std::size_t at = 0;
  for (;;) {
    while (at < text.size() && is_separator(text[at])) ++at;
    if (at == text.size()) return {at, false};
    io::Cut cut = io::cut_event(text.substr(at));
    if (cut.result == io::CutResult::incomplete && may_go_on) return {at, false};
    if (cut.result != io::CutResult::complete) return {at, true};
    if (!walker_->repair(text.substr(at, cut.length), offset + at)) return {at, true};
    at += cut.length;
  }
}
}  // namespace kinetoscope::importers
