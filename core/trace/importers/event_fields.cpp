#include "core/trace/importers/event_fields.hpp"

#include <bit>
#include <charconv>
#include <cmath>

#include "core/io/diagnostics.hpp"
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

EventFieldReader::EventFieldReader(TraceBuilder& builder) : builder_(builder), texts_(builder) {}

void EventFieldReader::begin(std::uint64_t offset) noexcept {
  offset_ = offset;
  category_token_ = {};
  pid_token_ = {};
  tid_token_ = {};
  fields_ = {};
  other_.clear();
  is_refused_ = false;
  findings_.clear();
}

void EventFieldReader::count(const DiagnosticKind& kind) {
  findings_.push_back(&kind);
}

void EventFieldReader::field(std::string_view key, std::string_view token) {
  if (key == "ts") {
    fields_.begin_ns = time_of(token);
  } else if (key == "dur") {
    fields_.duration_ns = time_of(token);
  } else if (key == "name") {
    fields_.name = text_of(token);
  } else if (key == "pid") {
    pid_token_ = token;
  } else if (key == "tid") {
    tid_token_ = token;
  } else if (key == "cat") {
    category_token_ = token;
  } else if (key == "ph") {
    if (kind_of_token(token) == TokenKind::text) fields_.phase = phase_of(inside_quotes(token));
  } else if (key == "id") {
    const TokenKind kind = kind_of_token(token);
    const auto id = kind == TokenKind::text ? integer_in_text(inside_quotes(token)) : parse_integer(token);
    if (id) {
      fields_.arrow_id = std::bit_cast<std::int64_t>(id->bits);
    } else {
      other_field(key, token);
    }
  } else if (key != "bp" && key != "s") {  // where an arrow binds and an instant's scope: the format's own
    other_field(key, token);
  }
}

void EventFieldReader::argument(std::string_view key, std::string_view token) {
  const std::optional<Argument> argument = find_argument(key);
  if (!argument) {
    other_field(key, token);
    return;
  }
  const TokenKind kind = kind_of_token(token);
  if (kind == TokenKind::null) return;
  if (kind == TokenKind::invalid) {
    is_refused_ = true;
    return;
  }
  if (kind == TokenKind::nonfinite) {
    count(io_diagnostics::nonfinite_number);
    return;
  }
  switch (info_of(*argument).type) {
    case ArgumentType::integer:
    case ArgumentType::identifier:
      integer_argument(*argument, key, token, kind);
      break;
    case ArgumentType::real:
      real_argument(*argument, key, token, kind);
      break;
    case ArgumentType::text:
      text_argument(*argument, token, kind);
      break;
    case ArgumentType::json:
      builder_.set_id(*argument, static_cast<std::uint32_t>(builder_.intern_json(token)));
      break;
  }
}

void EventFieldReader::integer_argument(Argument argument, std::string_view key, std::string_view token,
                                        TokenKind kind) {
  if (kind == TokenKind::yes || kind == TokenKind::no) {
    builder_.set_wide(argument, kind == TokenKind::yes ? 1 : 0);
    return;
  }
  std::optional<Integer> value;
  if (kind == TokenKind::number) value = parse_integer(token);
  if (kind == TokenKind::text) value = integer_in_text(inside_quotes(token));
  if (value && (!value->is_wide || info_of(argument).type == ArgumentType::identifier)) {
    if (value->is_wide) count(trace_diagnostics::wide_integer);
    builder_.set_wide(argument, value->bits);
    return;
  }
  if (kind == TokenKind::number) {
    if (const auto whole = whole_real(token)) {
      builder_.set_wide(argument, *whole);
      return;
    }
    if (token.find_first_of(".eE") == std::string_view::npos) count(trace_diagnostics::wide_integer);
  }
  other_field(key, token);  // kept exactly, as it is written
}

void EventFieldReader::real_argument(Argument argument, std::string_view key, std::string_view token, TokenKind kind) {
  const std::string_view text = kind == TokenKind::text ? inside_quotes(token) : token;
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

void EventFieldReader::text_argument(Argument argument, std::string_view token, TokenKind kind) {
  if (kind != TokenKind::text) {  // a number or a list where versions of the exporter write a text
    builder_.set_id(argument, static_cast<std::uint32_t>(builder_.intern(token)));
    return;
  }
  const RawTexts::Name name = texts_.name(without_stray_quotes(inside_quotes(token)));
  if (name.has_invalid_escape) count(io_diagnostics::invalid_escape_repaired);
  builder_.set_id(argument, static_cast<std::uint32_t>(name.id));
}

void EventFieldReader::other_field(std::string_view key, std::string_view token) {
  const TokenKind kind = kind_of_token(token);
  if (kind == TokenKind::invalid) {
    is_refused_ = true;
    return;
  }
  if (kind == TokenKind::nonfinite) {
    count(io_diagnostics::nonfinite_number);
    return;
  }
  if (kind == TokenKind::text && texts_.name(inside_quotes(token)).has_invalid_escape) {
    count(io_diagnostics::invalid_escape_repaired);
  }
  other_ += other_.empty() ? "{\"" : ", \"";
  other_ += key;
  other_ += "\": ";
  other_ += token;
}

std::int64_t EventFieldReader::time_of(std::string_view token) {
  const TokenKind kind = kind_of_token(token);
  if (kind == TokenKind::null) return unknown_time_ns;
  if (kind == TokenKind::nonfinite) {
    count(io_diagnostics::nonfinite_number);
    return unknown_time_ns;
  }
  if (kind == TokenKind::invalid) {
    is_refused_ = true;
    return unknown_time_ns;
  }
  const DecimalTime time = parse_microseconds(kind == TokenKind::text ? inside_quotes(token) : token);
  if (kind == TokenKind::text && time.status != DecimalTime::Status::not_a_number) {
    count(trace_diagnostics::text_number);
  }
  switch (time.status) {
    case DecimalTime::Status::exact:
      return time.ns;
    case DecimalTime::Status::rounded:
      count(trace_diagnostics::time_rounded);
      return time.ns;
    case DecimalTime::Status::out_of_range:
      count(trace_diagnostics::time_out_of_range);
      return unknown_time_ns;
    case DecimalTime::Status::not_a_number:
      count(trace_diagnostics::invalid_number);
      return unknown_time_ns;
  }
  return unknown_time_ns;
}

NameId EventFieldReader::text_of(std::string_view token) {
  const TokenKind kind = kind_of_token(token);
  if (kind == TokenKind::invalid) is_refused_ = true;
  if (kind != TokenKind::text) return kind == TokenKind::null ? no_name : builder_.intern(token);
  const RawTexts::Name name = texts_.name(inside_quotes(token));
  if (name.has_invalid_escape) count(io_diagnostics::invalid_escape_repaired);
  return name.id;
}

TrackPart EventFieldReader::part_of(std::string_view token) {
  if (token.empty()) return {};
  const TokenKind kind = kind_of_token(token);
  if (kind == TokenKind::number) {
    const std::optional<Integer> number = parse_integer(token);
    if (number && !number->is_wide) return {std::bit_cast<std::int64_t>(number->bits), no_name};
    if (const auto whole = whole_real(token)) return {std::bit_cast<std::int64_t>(*whole), no_name};
  }
  if (kind == TokenKind::null) return {};
  return {0, kind == TokenKind::text ? texts_.name(inside_quotes(token)).id : builder_.intern(token)};
}

TrackId EventFieldReader::track_of_tokens() {
  track_key_.assign(pid_token_);
  track_key_ += '\0';
  track_key_ += tid_token_;
  if (track_key_ == last_track_key_) return last_track_;
  const TextIndex::Entry entry = raw_tracks_.add(track_key_);
  if (entry.is_new) tracks_.push_back(builder_.track(part_of(pid_token_), part_of(tid_token_)));
  last_track_ = tracks_[entry.index];
  std::swap(last_track_key_, track_key_);
  return last_track_;
}

TraceBuilder::Category EventFieldReader::category_of(std::string_view raw) {
  const TextIndex::Entry entry = raw_categories_.add(raw);
  if (entry.is_new) {
    categories_.push_back(builder_.category(builder_.text(texts_.name(raw).id)));
  }
  return categories_[entry.index];
}

/// The category's role, unless the phase says that this is no such thing: a metadata event, a counter, an instant.
Role EventFieldReader::role_here(const TraceBuilder::Category& category) const {
  switch (fields_.phase) {
    case Phase::metadata:
      return Role::bookkeeping;
    case Phase::counter:
      return Role::counter;
    case Phase::end:
      return Role::bookkeeping;
    case Phase::flow_start:
    case Phase::flow_step:
    case Phase::flow_end:
      return category.role == Role::launch_arrow || category.role == Role::backward_arrow ? category.role
                                                                                          : Role::bookkeeping;
    case Phase::instant:
    case Phase::other: {
      const bool needs_extent = is_host_call(category.role) || is_gpu_work(category.role) ||
                                category.role == Role::host_annotation || category.role == Role::device_annotation;
      return needs_extent || category_token_.empty() ? Role::bookkeeping : category.role;
    }
    case Phase::missing:
    case Phase::complete:
    case Phase::begin:
      break;
  }
  if (!category_token_.empty()) return category.role;
  // The exporter before Kineto wrote no categories, and named its two processes.
  const TrackPart& pid = builder_.track_info(fields_.track).pid;
  const bool is_device = pid.is_text() && builder_.text(pid.text).find("CUDA") != std::string_view::npos;
  return is_device ? Role::kernel : Role::operator_call;
}

void EventFieldReader::commit() {
  fields_.track = track_of_tokens();
  TraceBuilder::Category category;
  if (kind_of_token(category_token_) == TokenKind::text) {
    category = category_of(inside_quotes(category_token_));
  } else {
    category_token_ = {};
  }
  fields_.category = category.id;
  fields_.role = role_here(category);
  if (fields_.phase == Phase::complete && category_token_.empty()) count(trace_diagnostics::category_missing);
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

void EventFieldReader::abandon() noexcept {
  builder_.abandon();
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
