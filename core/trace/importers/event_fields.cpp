#include "core/trace/importers/event_fields.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

#include <nlohmann/json.hpp>

#include "core/base/same_text.hpp"
#include "core/io/diagnostics.hpp"
#include "core/io/json_escapes.hpp"
#include "core/trace/decimal_time.hpp"
#include "core/trace/diagnostics.hpp"

namespace kinetoscope::importers {
namespace {

/// A double that is a whole number, written with a point or an exponent: 5.0, 1e3.
std::optional<std::uint64_t> whole_real(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  constexpr double exactly_held = 9007199254740992.0;  // 2^53
  if (value != std::floor(value) || std::abs(value) > exactly_held) return {};
  return std::bit_cast<std::uint64_t>(static_cast<std::int64_t>(value));
}

/// What field() knows.
constexpr std::array<std::string_view, 9> escapable_keys = {"ts",  "dur", "name", "pid", "tid",
                                                            "cat", "ph",  "id",   "args"};

/// A key that was written with escapes, as no profiler does; nothing for all others.
std::optional<std::string> without_escapes(std::string_view key) {
  if (key.find('\\') == std::string_view::npos) return {};
  return io::unescape(key);
}

/// A number written as text, or the hexadecimal form of a handle.
std::optional<Integer> integer_in_text(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) {
    Integer out;
    const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), out.bits, 16);
    if (error != std::errc() || end != text.data() + text.size()) return {};
    out.is_wide = out.bits > static_cast<std::uint64_t>(INT64_MAX);
    return out;
  }
  return parse_integer(text);
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
    const FieldToken* const first = batch.tokens.fields.data() + event.first;
    for (const FieldToken* token = first; token != first + event.count; ++token) {
      if (token->is_argument != 0) {
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
  other_.clear();
  findings_.clear();
}

void EventFieldReader::count(const DiagnosticKind& kind) { findings_.push_back(&kind); }

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
  if (key == "ts") {
    fields_.begin_ns = time_of(token);
  } else if (key == "dur") {
    fields_.duration_ns = time_of(token);
  } else if (key == "name") {
    fields_.name = text_of(token);
  } else if (key == "pid") {
    pid_ = token;
  } else if (key == "tid") {
    tid_ = token;
  } else if (key == "cat") {
    category_ = token;
  } else if (key == "ph") {
    if (token.kind == TokenKind::text) fields_.phase = phase_of(inside_quotes(token.text));
  } else if (key == "id") {
    const bool is_text = token.kind == TokenKind::text;
    const auto id = is_text ? integer_in_text(inside_quotes(token.text)) : parse_integer(token.text);
    if (id) {
      fields_.arrow_id = std::bit_cast<std::int64_t>(id->bits);
    } else {
      other_field(key, token);
    }
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
      builder_.set_wide(argument, number);
      return;
    }
    value = parse_integer(token.text);
  } else if (token.kind == TokenKind::yes || token.kind == TokenKind::no) {
    value = Integer{token.kind == TokenKind::yes ? std::uint64_t{1} : 0, false, false};
  } else if (token.kind == TokenKind::text) {
    value = integer_in_text(inside_quotes(token.text));
  }
  if (value && (!value->is_wide || info_of(argument).type == ArgumentType::identifier)) {
    if (value->is_wide) count(trace_diagnostics::wide_integer);
    builder_.set_wide(argument, value->bits);
    return;
  }
  if (token.kind == TokenKind::number) {
    if (const auto whole = whole_real(token.text)) {
      builder_.set_wide(argument, *whole);
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
    other_field(key, token);
  } else if (!std::isfinite(value)) {
    count(io_diagnostics::nonfinite_number);
  } else {
    builder_.set_wide(argument, std::bit_cast<std::uint64_t>(value));
  }
}

void EventFieldReader::text_argument(Argument argument, const Token& token) {
  if (token.kind != TokenKind::text) {  // a number or a list where versions of the exporter write a text
    builder_.set_id(argument, static_cast<std::uint32_t>(builder_.intern(token.text)));
    return;
  }
  const RawTexts::Name name = texts_.name(without_stray_quotes(inside_quotes(token.text)));
  if (name.has_invalid_escape) count(io_diagnostics::invalid_escape_repaired);
  builder_.set_id(argument, static_cast<std::uint32_t>(name.id));
}

/// A list or object; a scalar where a list belongs stays as it is.
JsonId EventFieldReader::json_of(const Token& token) {
  const RawJsons::Value& value = jsons_.value(token.text);
  if (!value.defects.empty()) builder_.diagnostics().merge(value.defects.at(offset_));
  return value.id;
}

void EventFieldReader::other_field(std::string_view key, const Token& token) {
  if (key.find('\\') != std::string_view::npos) {
    // Never in a key that a profiler writes; a file's damage may put it there.
    const RawTexts::Name name = texts_.name(key);
    if (name.has_invalid_escape) count(io_diagnostics::invalid_escape_repaired);
    other_member(nlohmann::json(builder_.text(name.id)).dump(), token);
    return;
  }
  other_member('"' + std::string(key) + '"', token);
}

void EventFieldReader::other_member(std::string_view quoted_key, const Token& token) {
  std::string_view value = token.text;
  switch (token.kind) {
    case TokenKind::nonfinite: count(io_diagnostics::nonfinite_number); return;
    case TokenKind::object:
    case TokenKind::list: value = builder_.json_text(json_of(token)); break;
    case TokenKind::text:
      if (texts_.name(inside_quotes(token.text)).has_invalid_escape) {
        count(io_diagnostics::invalid_escape_repaired);
        other_ += other_.empty() ? '{' : ',';
        other_ += quoted_key;
        other_ += ':';
        other_ += nlohmann::json(inside_quotes(token.text)).dump();
        return;
      }
      break;
    case TokenKind::number:
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

NameId EventFieldReader::text_of(const Token& token) {
  if (token.kind != TokenKind::text) return token.kind == TokenKind::null ? no_name : builder_.intern(token.text);
  const RawTexts::Name name = texts_.name(inside_quotes(token.text));
  if (name.has_invalid_escape) count(io_diagnostics::invalid_escape_repaired);
  return name.id;
}

TrackPart EventFieldReader::part_of(const Token& token) {
  if (token.text.empty() || token.kind == TokenKind::null) return {};
  if (token.kind == TokenKind::number) {
    const std::optional<Integer> number = parse_integer(token.text);
    if (number && !number->is_wide) return {std::bit_cast<std::int64_t>(number->bits), no_name};
    if (const auto whole = whole_real(token.text)) return {std::bit_cast<std::int64_t>(*whole), no_name};
  }
  if (token.kind == TokenKind::text) return {0, texts_.name(inside_quotes(token.text)).id};
  count(trace_diagnostics::unusable_value);
  return {0, builder_.intern(token.text)};
}

TrackId EventFieldReader::track_of_tokens() {
  if (has_last_track_ && same_text(tid_.text, last_tid_) && same_text(pid_.text, last_pid_)) return last_track_;
  has_last_track_ = true;
  last_pid_ = pid_.text;
  last_tid_ = tid_.text;
  const TextIndex::Entry entry = raw_tracks_.add(last_pid_ + '\0' + last_tid_);
  if (entry.is_new) tracks_.push_back(builder_.track(part_of(pid_), part_of(tid_)));
  last_track_ = tracks_[entry.index];
  return last_track_;
}

TraceBuilder::Category EventFieldReader::category_of_token() {
  if (category_.kind != TokenKind::text) {
    category_ = {};
    return {};
  }
  if (same_text(category_.text, last_category_)) return last_category_found_;
  last_category_ = category_.text;
  const TextIndex::Entry entry = raw_categories_.add(last_category_);
  if (entry.is_new) {
    categories_.push_back(builder_.category(builder_.text(texts_.name(inside_quotes(category_.text)).id)));
  }
  last_category_found_ = categories_[entry.index];
  return last_category_found_;
}

/// The category's role, unless the phase says that this is no such thing: a metadata event, a counter, an instant.
Role EventFieldReader::role_here(const TraceBuilder::Category& category) const {
  switch (fields_.phase) {
    case Phase::metadata: return Role::bookkeeping;
    case Phase::counter: return Role::counter;
    case Phase::end: return Role::bookkeeping;
    case Phase::flow_start:
    case Phase::flow_step:
    case Phase::flow_end:
      return category.role == Role::launch_arrow || category.role == Role::backward_arrow ? category.role
                                                                                          : Role::bookkeeping;
    case Phase::instant:
    case Phase::other: {
      const bool needs_extent = is_host_call(category.role) || is_gpu_work(category.role) ||
                                category.role == Role::host_annotation || category.role == Role::device_annotation;
      return needs_extent || category_.text.empty() ? Role::bookkeeping : category.role;
    }
    case Phase::missing:
    case Phase::complete:
    case Phase::begin: break;
  }
  if (!category_.text.empty()) return category.role;
  // The exporter before Kineto wrote no categories, and named its two processes.
  const TrackPart& pid = builder_.track_info(fields_.track).pid;
  const bool is_device = pid.is_text() && builder_.text(pid.text).find("CUDA") != std::string_view::npos;
  return is_device ? Role::kernel : Role::operator_call;
}

void EventFieldReader::commit() {
  fields_.track = track_of_tokens();
  const TraceBuilder::Category category = category_of_token();
  fields_.category = category.id;
  fields_.role = role_here(category);
  if (fields_.phase == Phase::complete && category_.text.empty()) count(trace_diagnostics::category_missing);
  const bool is_misplaced = fields_.phase == Phase::instant || fields_.phase == Phase::other;
  if (is_misplaced && (is_host_call(category.role) || is_gpu_work(category.role))) {
    count(trace_diagnostics::unexpected_phase);
  }
  if (fields_.role == Role::unknown) count(trace_diagnostics::unknown_category);
  if (fields_.duration_ns < 0 && fields_.duration_ns != unknown_time_ns) count(trace_diagnostics::negative_duration);
  if (fields_.begin_ns < 0 && fields_.begin_ns != unknown_time_ns) count(trace_diagnostics::negative_timestamp);
  if (is_gpu_work(fields_.role) && fields_.begin_ns == 0 && fields_.duration_ns == 0) {
    count(trace_diagnostics::zero_timestamp_kernel);
  }
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
