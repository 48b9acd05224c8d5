#include "core/trace/importers/event_fields.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

#include "core/base/same_text.hpp"
#include "core/io/diagnostics.hpp"
#include "core/io/json_escapes.hpp"
#include "core/trace/decimal_time.hpp"
#include "core/trace/diagnostics.hpp"

namespace kinetoscope::importers {
namespace {

/// What field() knows.
constexpr std::array<std::string_view, 9> escapable_keys = {"ts",  "dur", "name", "pid", "tid",
                                                            "cat", "ph",  "id",   "args"};

/// A key that was written with escapes, as no profiler does; nothing for all others.
std::optional<std::string> without_escapes(std::string_view key) {
  if (key.find('\\') == std::string_view::npos) return {};
  const std::optional<io::Unescaped> unescaped = io::unescape(key);
  return unescaped ? std::optional(unescaped->text) : std::nullopt;
}

/// Python exporters wrote some texts with the quotes of their repr inside the JSON text.
std::string_view without_stray_quotes(std::string_view raw) {
  if (raw.size() >= 4 && raw.starts_with("\\\"") && raw.ends_with("\\\"")) return raw.substr(2, raw.size() - 4);
  return raw;
}
}  // namespace

EventFieldReader::EventFieldReader(TraceBuilder& builder) : builder_(builder), texts_(builder), jsons_(builder) {}

void EventFieldReader::append(const TokenBatch& batch) {
  for (const EventTokens& event : batch.tokens.events) {
    if (!event.is_event) {
      append_non_event(event.offset);
      continue;
    }
    begin(event.offset);
    const FieldToken* const first = batch.tokens.fields.begin() + event.first;
    for (const FieldToken* token = first; token != first + event.count; ++token) {
      if (token->is_argument()) {
        argument(token->key(), token->value());
      } else {
        field(token->key(), token->value());
      }
    }
    commit();
  }
}

void EventFieldReader::begin(std::uint64_t offset) noexcept {
  offset_ = offset;
  category_ = {};
  pid_ = {};
  tid_ = {};
  arguments_seen_ = 0;
  fields_ = {};
  has_begin_defect_ = false;
  has_duration_defect_ = false;
  other_.clear();
  findings_.clear();
}

void EventFieldReader::count(const DiagnosticKind& kind) { findings_.push_back(&kind); }

void EventFieldReader::refuse(std::string_view key, const Token& token) {
  if (token.kind != TokenKind::nonfinite) count(trace_diagnostics::unusable_value);  // that is a kind of its own
  other_field(key, token);
}

/// In a function of its own: its locals in field() cost the clean path 3 % of all instructions.
void EventFieldReader::unknown_field(std::string_view key, const Token& token) {
  const std::optional<std::string> plain = without_escapes(key);
  if (plain && std::ranges::find(escapable_keys, std::string_view(*plain)) != escapable_keys.end()) {
    field(*plain, token);
  } else {
    other_field(key, token);
  }
}

void EventFieldReader::field(std::string_view key, const Token& token) {
  const bool is_text = token.kind == TokenKind::text;
  if (key == "ts") {
    fields_.begin_ns = time_of(token);
    has_begin_defect_ = fields_.begin_ns == unknown_time_ns && token.kind != TokenKind::null;
  } else if (key == "dur") {
    fields_.duration_ns = time_of(token);
    has_duration_defect_ = fields_.duration_ns == unknown_time_ns && token.kind != TokenKind::null;
  } else if (key == "name") {
    fields_.name = is_text ? name_of(inside_quotes(token.text)) : no_name;
    if (!is_text) refuse(key, token);
  } else if (key == "pid") {
    pid_ = token;
  } else if (key == "tid") {
    tid_ = token;
  } else if (key == "cat") {
    category_ = is_text ? token : Token{};
    if (!is_text) refuse(key, token);
  } else if (key == "ph") {
    fields_.phase = is_text ? phase_of(inside_quotes(token.text)) : Phase::missing;
    if (!is_text) refuse(key, token);
  } else if (key == "id") {
    fields_.arrow_id = arrow_id_of(token);
  } else if (key == "args") {  // an object of arguments comes field by field
    if (token.kind != TokenKind::null) count(trace_diagnostics::unusable_value);
    other_field(key, token);
  } else if (key != "bp" && key != "s") {  // where an arrow binds and an instant's scope: the format's own
    unknown_field(key, token);
  }
}

void EventFieldReader::argument(std::string_view key, const Token& token) {
  Argument& expected = expected_arguments_[arguments_seen_++ % expected_arguments_.size()];
  if (!same_text(key, info_of(expected).key)) {
    const std::optional<Argument> found = find_argument(key);
    if (!found) {
      const std::optional<std::string> plain = without_escapes(key);
      if (plain && find_argument(*plain)) return known_argument(*find_argument(*plain), key, token);
      other_field(key, token);
      return;
    }
    expected = *found;
  }
  known_argument(expected, key, token);
}

void EventFieldReader::known_argument(Argument argument, std::string_view key, const Token& token) {
  switch (token.kind) {
    case TokenKind::null:
    case TokenKind::invalid: return;
    case TokenKind::nonfinite: count(io_diagnostics::nonfinite_number); return;
    case TokenKind::text:
    case TokenKind::number:
    case TokenKind::object:
    case TokenKind::list:
    case TokenKind::yes:
    case TokenKind::no: break;
  }
  switch (info_of(argument).type) {
    case ArgumentType::integer:
    case ArgumentType::identifier: integer_argument(argument, key, token); break;
    case ArgumentType::real: real_argument(argument, key, token); break;
    case ArgumentType::text: text_argument(argument, token); break;
    case ArgumentType::json: {
      const JsonId json = json_of(token);
      if (json != no_json) builder_.set_id(argument, static_cast<std::uint32_t>(json));
      break;
    }
  }
}

void EventFieldReader::integer_argument(Argument argument, std::string_view key, const Token& token) {
  std::optional<Integer> value;
  if (token.kind == TokenKind::number) {
    std::uint64_t number = 0;
    if (parse_plain_integer(token.text, number)) {  // nearly all of them
      builder_.set_integer(argument, number);
      return;
    }
    value = parse_integer(token.text);
  } else if (token.kind == TokenKind::yes || token.kind == TokenKind::no) {
    value = Integer{token.kind == TokenKind::yes ? std::uint64_t{1} : 0, false, false};
  } else if (token.kind == TokenKind::text) {
    value = parse_integer_in_text(inside_quotes(token.text));
  }
  if (value && (!value->is_wide || info_of(argument).type == ArgumentType::identifier)) {
    if (value->is_wide) count(trace_diagnostics::wide_integer);
    builder_.set_integer(argument, value->bits);
    return;
  }
  if (token.kind == TokenKind::number) {
    if (const auto whole = parse_whole_real(token.text)) {
      builder_.set_integer(argument, *whole);
      return;
    }
    const bool is_wide = token.text.find_first_of(".eE") == std::string_view::npos;
    count(is_wide ? trace_diagnostics::wide_integer : trace_diagnostics::unusable_value);
  } else {
    count(trace_diagnostics::unusable_value);
  }
  other_field(key, token);  // kept exactly, as it is written
}

void EventFieldReader::real_argument(Argument argument, std::string_view key, const Token& token) {
  const std::string_view text = token.kind == TokenKind::text ? inside_quotes(token.text) : token.text;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    refuse(key, token);
  } else if (!std::isfinite(value)) {
    count(io_diagnostics::nonfinite_number);
  } else {
    builder_.set_integer(argument, std::bit_cast<std::uint64_t>(value));
  }
}

void EventFieldReader::text_argument(Argument argument, const Token& token) {
  if (token.kind != TokenKind::text) {  // a number or a list where versions of the exporter write a text
    builder_.set_id(argument, static_cast<std::uint32_t>(builder_.intern(token.text)));
    return;
  }
  const NameId name = name_of(without_stray_quotes(inside_quotes(token.text)));
  builder_.set_id(argument, static_cast<std::uint32_t>(name));
}

/// A list or object; a scalar where a list belongs stays as it is.
JsonId EventFieldReader::json_of(const Token& token) {
  const RawJsons::Value& value = jsons_.value(token.text);
  if (!value.defects.empty()) builder_.diagnostics().merge(value.defects.at(offset_));
  return value.id;
}

std::int64_t EventFieldReader::time_of(const Token& token) {
  if (token.kind == TokenKind::null) return unknown_time_ns;
  if (token.kind == TokenKind::nonfinite) {
    count(io_diagnostics::nonfinite_number);
    return unknown_time_ns;
  }
  const bool is_text = token.kind == TokenKind::text;
  const DecimalTime time = parse_microseconds(is_text ? inside_quotes(token.text) : token.text);
  if (is_text && time.status != DecimalTime::Status::not_a_number) count(trace_diagnostics::text_number);
  switch (time.status) {
    case DecimalTime::Status::exact: return time.ns;
    case DecimalTime::Status::rounded: count(trace_diagnostics::time_rounded); return time.ns;
    case DecimalTime::Status::out_of_range: count(trace_diagnostics::time_out_of_range); return unknown_time_ns;
    case DecimalTime::Status::not_a_number: count(trace_diagnostics::invalid_number); return unknown_time_ns;
  }
  return unknown_time_ns;
}

std::int64_t EventFieldReader::arrow_id_of(const Token& token) {
  if (token.kind == TokenKind::text) {
    if (const auto id = parse_integer_in_text(inside_quotes(token.text))) return std::bit_cast<std::int64_t>(id->bits);
  } else if (token.kind == TokenKind::number) {
    if (const auto id = parse_integer(token.text)) return std::bit_cast<std::int64_t>(id->bits);
    if (const auto whole = parse_whole_real(token.text)) return std::bit_cast<std::int64_t>(*whole);
  }
  refuse("id", token);
  return 0;
}

NameId EventFieldReader::name_of(std::string_view raw) {
  const RawTexts::Name name = texts_.name(raw);
  if (name.has_defect()) {
    if (name.has_invalid_escape) count(io_diagnostics::invalid_escape_repaired);
    for (std::uint32_t i = 0; i < name.replaced; ++i) count(io_diagnostics::invalid_utf8_replaced);
  }
  return name.id;
}

TrackPart EventFieldReader::part_of(const Token& token) {
  if (token.text.empty()) return {};
  if (token.kind == TokenKind::number) {
    const std::optional<Integer> number = parse_integer(token.text);
    if (number && !number->is_wide) return {std::bit_cast<std::int64_t>(number->bits), no_name};
    if (const auto whole = parse_whole_real(token.text)) return {std::bit_cast<std::int64_t>(*whole), no_name};
  }
  if (token.kind == TokenKind::text) return {0, name_of(inside_quotes(token.text))};
  count(trace_diagnostics::unusable_value);
  return {0, builder_.intern(token.text)};  // a track of its own: it must not be taken for that of number 0
}

std::vector<const DiagnosticKind*> EventFieldReader::findings_since(std::size_t first) const {
  return {findings_.begin() + static_cast<std::ptrdiff_t>(first), findings_.end()};
}

void EventFieldReader::count_again(const std::vector<const DiagnosticKind*>& findings) {
  if (!findings.empty()) findings_.insert(findings_.end(), findings.begin(), findings.end());
}

TrackId EventFieldReader::track_of_tokens() {
  const bool is_last = !tracks_.empty() && same_text(tid_.text, last_tid_) && same_text(pid_.text, last_pid_);
  if (!is_last) {
    last_pid_ = pid_.text;
    last_tid_ = tid_.text;
    const TextIndex::Entry entry = raw_tracks_.add(last_pid_ + '\0' + last_tid_);
    last_track_index_ = entry.index;
    if (entry.is_new) {
      const std::size_t before = findings_.size();
      const TrackId track = builder_.track(part_of(pid_), part_of(tid_));
      tracks_.push_back({track, findings_since(before)});
      return track;
    }
  }
  const Remembered<TrackId>& found = tracks_[last_track_index_];
  count_again(found.findings);
  return found.value;
}

TraceBuilder::Category EventFieldReader::category_of_token() {
  if (category_.text.empty()) return {};
  if (categories_.empty() || !same_text(category_.text, last_category_)) {
    last_category_ = category_.text;
    const TextIndex::Entry entry = raw_categories_.add(last_category_);
    last_category_index_ = entry.index;
    if (entry.is_new) {
      const std::size_t before = findings_.size();
      const TraceBuilder::Category category = builder_.category(builder_.text(name_of(inside_quotes(category_.text))));
      categories_.push_back({category, findings_since(before)});
      return category;
    }
  }
  const Remembered<TraceBuilder::Category>& found = categories_[last_category_index_];
  count_again(found.findings);
  return found.value;
}

EventIdentity EventFieldReader::identity(const TraceBuilder::Category& category) const {
  if (!category_.text.empty()) return {.phase = fields_.phase, .category_role = category.role};
  const TrackPart& pid = builder_.track_info(fields_.track).pid;
  return {.phase = fields_.phase,
          .has_name = !builder_.text(fields_.name).empty(),
          .is_on_device = pid.is_text() && builder_.text(pid.text).find("CUDA") != std::string_view::npos};
}

void EventFieldReader::count_identity(const EventIdentity& event) {
  if (has_unexpected_phase(event)) count(trace_diagnostics::unexpected_phase);
  if (fields_.role == Role::unknown) count(trace_diagnostics::unknown_category);
  if (fields_.role == Role::unidentified) {
    count(trace_diagnostics::unidentified_event);
    return;
  }
  if (event.phase == Phase::missing) count(trace_diagnostics::phase_missing);
  if (!event.category_role && has_meaning_by_category(event.phase)) count(trace_diagnostics::category_missing);
}

void EventFieldReader::count_times() {
  if (fields_.begin_ns != unknown_time_ns && !has_known_end(fields_.begin_ns, fields_.duration_ns)) {
    count(trace_diagnostics::time_out_of_range);
    fields_.duration_ns = unknown_time_ns;
    has_duration_defect_ = true;
  }
  const bool lacks_begin = fields_.begin_ns == unknown_time_ns;
  const bool lacks_duration = fields_.duration_ns == unknown_time_ns;
  if (lacks_begin || lacks_duration) {
    const bool is_missing = (lacks_begin && !has_begin_defect_ && needs_start(fields_.phase)) ||
                            (lacks_duration && !has_duration_defect_ && needs_duration(fields_.phase));
    if (is_missing && fields_.role != Role::unidentified) count(trace_diagnostics::time_missing);
  }
  if (!lacks_duration && fields_.duration_ns < 0) count(trace_diagnostics::negative_duration);
  if (!lacks_begin && fields_.begin_ns < 0) count(trace_diagnostics::negative_timestamp);
  if (is_gpu_work(fields_.role) && fields_.begin_ns == 0 && fields_.duration_ns == 0) {
    count(trace_diagnostics::zero_timestamp_kernel);
  }
}

void EventFieldReader::commit() {
  fields_.track = track_of_tokens();
  const TraceBuilder::Category category = category_of_token();
  const EventIdentity event = identity(category);
  fields_.category = category.id;
  fields_.role = role_of_event(event);
  count_identity(event);
  count_times();
  if (!other_.empty()) {
    other_ += '}';
    builder_.set_other(other_);
  }
  for (const DiagnosticKind* kind : findings_) builder_.diagnostics().add(*kind, offset_);
  builder_.append(fields_);
}

void EventFieldReader::append_non_event(std::uint64_t offset) {
  builder_.diagnostics().add(trace_diagnostics::not_an_event, offset);
  EventFields fields;
  fields.role = Role::bookkeeping;
  fields.phase = Phase::other;
  fields.track = builder_.track({}, {});
  builder_.append(fields);
}
}  // namespace kinetoscope::importers
