#include "core/trace/importers/event_tokenizer.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "core/io/diagnostics.hpp"
#include "core/io/event_cutter.hpp"
#include "core/io/json_repair.hpp"
#include "core/trace/importers/element_end.hpp"

namespace kinetoscope::importers {
namespace {

/// How far the end of an element that the parser refuses is looked for beyond its window: each further one looks at it
/// from its start again.
constexpr std::size_t longest_damaged_bytes = std::size_t{16} << 20;
}  // namespace

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
  if (text.front() != '{' && text.front() != '[') return {io::CutResult::complete, length_of_element(text)};
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
