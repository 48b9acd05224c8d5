#include "core/trace/importers/window_walker.hpp"

#include <array>
#include <optional>
#include <span>

#include "core/io/json_escapes.hpp"
#include "core/trace/importers/element_end.hpp"

namespace kinetoscope::importers {
namespace {

/// What a character adds to the depth of what follows it.
constexpr std::array<std::int8_t, 256> depth_steps = [] {
  std::array<std::int8_t, 256> steps{};
  steps['{'] = steps['['] = 1;
  steps['}'] = steps[']'] = -1;
  return steps;
}();

/// Asked of objects only: there are few others in an event.
bool is_args(std::string_view key) {
  if (key == "args") return true;
  if (key.find('\\') == std::string_view::npos) return false;
  const std::optional<io::Unescaped> unescaped = io::unescape(key);
  return unescaped && unescaped->text == "args";
}

/// Where in the structurals a walk is: at the one that it looks at next; nullptr when it refused what it saw.
using Place = const std::uint32_t*;

/// Walks one `[...]`. Every step forward needs a character that the last structural, the closing bracket, is not, so
/// nothing is read behind it; only skipping a list or object counts, and looks where it is. Places are handed on as
/// values: as a member, the place was read again from memory after each token (a tenth of the walk).
class Walk {
 public:
  Walk(const char* text, std::span<const std::uint32_t> structurals, TokenLists& lists)
      : text_(text), last_(&structurals.back()), fields_(lists.fields), events_(lists.events) {}

  /// Adds the events of the list that begins at `bracket`; `offset` is that of the byte behind it. The offset in the
  /// text of the first that was refused, of what stands behind the last one, or of the end.
  std::size_t run(Place bracket, std::uint64_t offset) {
    for (Place at = bracket + 1;; ++at) {
      const std::size_t start = *at;
      const auto first = static_cast<std::uint32_t>(fields_.size());
      at = add_element(at);
      if (at == nullptr) {
        fields_.resize(first);
        // A comma too many stands behind the last element, where commas are counted.
        return text_[start] == ',' ? behind_last_element() : start;
      }
      events_.push_back(
          {first, static_cast<std::uint32_t>(fields_.size()) - first, offset + start - 1, text_[start] == '{'});
      element_ = start;
      if (text_[*at] == ',') continue;
      // A bracket too many ends the list early.
      return at == last_ ? *last_ + std::size_t{1} : behind_last_element();
    }
  }

 private:
  Place add_element(Place at) {
    if (text_[*at] == '{') return walk_event(at);
    if (text_[*at] == '[') return skip_nested(at);
    return scalar_at(at).kind == TokenKind::invalid ? nullptr : at + 1;
  }

  Place walk_event(Place at) {
    if (text_[*++at] == '}') return at + 1;
    for (;; ++at) {
      std::string_view key;
      if (!read_key(at, key)) return nullptr;
      const Place value = at + 2;
      const bool has_arguments = text_[*value] == '{' && is_args(key);
      at = has_arguments ? walk_arguments(value) : add_field<false>(key, value);
      if (at == nullptr) return nullptr;
      if (text_[*at] != ',') return text_[*at] == '}' ? at + 1 : nullptr;
    }
  }

  Place walk_arguments(Place at) {
    if (text_[*++at] == '}') return at + 1;
    for (;; ++at) {
      std::string_view key;
      if (!read_key(at, key)) return nullptr;
      at = add_field<true>(key, at + 2);
      if (at == nullptr) return nullptr;
      if (text_[*at] != ',') return text_[*at] == '}' ? at + 1 : nullptr;
    }
  }

  /// A key with its colon.
  bool read_key(Place at, std::string_view& key) const {
    const std::uint32_t quote = at[0];
    if (text_[quote] != '"' || text_[at[1]] != ':') return false;
    std::uint32_t end = at[1] - 1;
    while (text_[end] != '"') --end;  // white space before the colon
    key = {text_ + quote + 1, end - quote - 1};
    return key.size() <= FieldToken::longest_key_bytes;
  }

  template <bool is_argument>
  Place add_field(std::string_view key, Place value) {
    const char first = text_[*value];
    if (first == '{' || first == '[') {
      const Place behind = skip_nested(value);
      if (behind == nullptr) return nullptr;
      const std::string_view text(text_ + *value, behind[-1] + 1 - *value);
      fields_.push_back({key, {text, first == '[' ? TokenKind::list : TokenKind::object}, is_argument});
      return behind;
    }
    const Token token = scalar_at(value);
    if (token.kind == TokenKind::invalid) return nullptr;
    fields_.push_back({key, token, is_argument});
    return value + 1;
  }

  /// What stands from here to the next structural: no scalar when it is one of those itself.
  Token scalar_at(Place at) const { return scalar_token({text_ + at[0], at[1] - at[0]}); }

  /// Behind the list or object that begins here; refused where it does not end before the text's own bracket.
  Place skip_nested(Place at) const {
    int depth = 0;
    do {
      if (at == last_) return nullptr;
      depth += depth_steps[static_cast<unsigned char>(text_[*at++])];
    } while (depth > 0);
    return at;
  }

  /// What the walk refuses there stands after it. Where its end is in doubt, the element is taken back.
  std::size_t behind_last_element() {
    if (element_ == 0) return 1;
    const std::size_t length = length_of_element({text_ + element_, *last_ + std::size_t{1} - element_});
    if (length > 0) return element_ + length;
    fields_.resize(events_.back().first);
    events_.pop_back();
    return element_;
  }

  const char* text_;
  Place last_;               // the closing bracket
  std::size_t element_ = 0;  // where the last one that was added begins
  HugeArray<FieldToken>& fields_;
  HugeArray<EventTokens>& events_;
};
}  // namespace

std::size_t WindowWalker::walk(char* text, std::size_t begin, std::size_t end, std::uint64_t offset,
                               TokenLists& lists) {
  char* const array = text + begin - 1;
  const std::size_t size = end - begin + 2;
  const char before = std::exchange(array[0], '[');
  const char behind = std::exchange(array[size - 1], ']');
  std::size_t reached = 1;
  const std::span<const std::uint32_t> structurals = structurals_.find(array, size);
  if (!structurals.empty()) reached = Walk(array, structurals, lists).run(structurals.data(), offset);
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
}  // namespace kinetoscope::importers
