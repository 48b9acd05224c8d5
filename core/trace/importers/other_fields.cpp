// Fields and arguments that have no column, and values that do not fit theirs: kept as they are written, as the members
// of one JSON object an event. What stands there is JSON, whatever the file held.

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/io/diagnostics.hpp"
#include "core/io/json_scalar.hpp"
#include "core/trace/importers/event_fields.hpp"

namespace kinetoscope::importers {
namespace {

/// Digits, perhaps with a sign before and a point between them: nearly all numbers.
bool is_plain_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  if (text.empty() || !is_digit(text.front()) || !is_digit(text.back())) return false;
  const std::size_t point = std::min(text.find('.'), text.size() - 1);
  const auto whole = text.substr(0, point);
  return std::ranges::all_of(whole, is_digit) && std::ranges::all_of(text.substr(point + 1), is_digit);
}
}  // namespace

void EventFieldReader::other_field(std::string_view key, const Token& token) {
  if (key.find('\\') != std::string_view::npos) {
    // Never in a key that a profiler writes; a file's damage may put it there.
    other_member(nlohmann::json(builder_.text(name_of(key))).dump(), token);
    return;
  }
  other_member('"' + std::string(key) + '"', token);
}

void EventFieldReader::other_member(std::string_view quoted_key, const Token& token) {
  std::string written;
  std::string_view value = token.text;
  switch (token.kind) {
    case TokenKind::nonfinite: count(io_diagnostics::nonfinite_number); return;
    case TokenKind::object:
    case TokenKind::list: value = builder_.json_text(json_of(token)); break;
    case TokenKind::text:
      if (const RawTexts::Name name = texts_.name(inside_quotes(token.text)); name.has_defect()) {
        written = nlohmann::json(builder_.text(name_of(inside_quotes(token.text)))).dump();
        value = written;
      }
      break;
    case TokenKind::number:
      if (!is_plain_number(token.text)) {
        written = number_kept(token.text);
        value = written;
      }
      break;
    case TokenKind::yes:
    case TokenKind::no:
    case TokenKind::null:
    case TokenKind::invalid: break;
  }
  if (value.empty()) return;
  other_ += other_.empty() ? '{' : ',';
  other_ += quoted_key;
  other_ += ':';
  other_ += value;
}

/// The number as JSON, or nothing when it is none: "1.2.3".
std::string EventFieldReader::number_kept(std::string_view text) {
  const io::Scalar scalar = io::read_scalar(text);
  switch (scalar.kind) {
    case io::Scalar::Kind::valid: return scalar.text;
    case io::Scalar::Kind::nonfinite: count(io_diagnostics::nonfinite_number); return {};
    case io::Scalar::Kind::repaired: count(io_diagnostics::invalid_literal); return scalar.text;
    case io::Scalar::Kind::unknown: count(io_diagnostics::invalid_literal); return {};
  }
  return {};
}
}  // namespace kinetoscope::importers
