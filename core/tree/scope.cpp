#include "core/tree/scope.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "core/trace/decimal_time.hpp"

namespace kinetoscope {
namespace {

constexpr std::string_view whole_scope = "all";
constexpr std::string_view accepted_conditions =
    "conditions are step:N, step:N-M, phase:NAME, module:NAME, stream:N, device:N, window:1.2ms-3.4ms, or the name of "
    "an annotation such as ProfilerStep#12";

[[noreturn]] void refuse(std::string_view condition, std::string_view problem, std::string_view accepted) {
  throw Error({.code = ErrorCode::scope_invalid,
               .argument = "scope",
               .received = std::string(condition),
               .problem = std::string(problem),
               .accepted = std::string(accepted)});
}

template <typename T>
std::optional<T> whole_number(std::string_view text) {
  T value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || stop != text.data() + text.size()) return {};
  return value;
}

/// Both ends of "3-5"; twice the same for "3".
std::pair<std::string_view, std::string_view> ends_of(std::string_view range) {
  const std::size_t dash = range.find('-');
  if (dash == std::string_view::npos) return {range, range};
  return {range.substr(0, dash), range.substr(dash + 1)};
}

ScopeCondition parse_steps(std::string_view condition, std::string_view value) {
  constexpr std::string_view accepted = "step:3 is the step at position 3 from 0, step:3-5 those at 3, 4 and 5";
  const auto [first_text, last_text] = ends_of(value);
  const auto first = whole_number<std::uint64_t>(first_text);
  const auto last = whole_number<std::uint64_t>(last_text);
  if (!first || !last) refuse(condition, "positions of steps are whole numbers", accepted);
  if (*last < *first) refuse(condition, "the last step stands before the first", accepted);
  return StepRange{*first, *last};
}

struct PhaseWord {
  std::string_view word;
  names::StepPhase phase{};
};
/// The first word of a phase is how text_of() writes it.
constexpr std::array phase_words = {
    PhaseWord{"prefill", names::StepPhase::prefill_only},
    PhaseWord{"prefill_only", names::StepPhase::prefill_only},
    PhaseWord{"decode", names::StepPhase::decode_only},
    PhaseWord{"decode_only", names::StepPhase::decode_only},
    PhaseWord{"mixed", names::StepPhase::prefilldecode},
    PhaseWord{"prefilldecode", names::StepPhase::prefilldecode},
    PhaseWord{"idle", names::StepPhase::idle},
    PhaseWord{"unknown", names::StepPhase::unknown},
};

ScopeCondition parse_phase(std::string_view condition, std::string_view value) {
  const auto* const found = std::ranges::find(phase_words, value, &PhaseWord::word);
  if (found == phase_words.end()) {
    refuse(condition, "no phase has this name", "phases are prefill, decode, mixed, idle and unknown");
  }
  return PhaseOfSteps{found->phase};
}

ScopeCondition parse_pattern(std::string_view condition, std::string_view key, std::string_view value) {
  if (value.empty()) refuse(condition, "the name is empty", fmt::format("{}:*NAME* finds names that hold NAME", key));
  if (key == "module") return ModuleName{std::string(value)};
  return AnnotationName{std::string(value)};
}

ScopeCondition parse_number(std::string_view condition, std::string_view key, std::string_view value) {
  const auto number = whole_number<std::int64_t>(value);
  if (!number) refuse(condition, "the number is not whole", fmt::format("{}:7", key));
  if (key == "stream") return StreamNumber{*number};
  return DeviceNumber{*number};
}

struct TimeUnit {
  std::string_view unit;
  std::string_view exponent;  ///< of microseconds
  std::int64_t in_ns = 1;
};
/// Seconds last: all units end in s.
constexpr std::array time_units = {TimeUnit{"ns", "e-3", 1}, TimeUnit{"us", "e0", 1000},
                                   TimeUnit{"ms", "e3", 1'000'000}, TimeUnit{"s", "e6", 1'000'000'000}};

/// "1.2ms" in nanoseconds; nothing for what is no time, or finer than a nanosecond.
std::optional<std::int64_t> time_ns(std::string_view text) {
  const auto* const unit = std::ranges::find_if(time_units, [&](const TimeUnit& u) { return text.ends_with(u.unit); });
  if (unit == time_units.end()) return {};
  text.remove_suffix(unit->unit.size());
  if (text.find_first_not_of("0123456789.") != std::string_view::npos) return {};
  const DecimalTime time = parse_microseconds(fmt::format("{}{}", text, unit->exponent));
  if (time.status != DecimalTime::Status::exact) return {};
  return time.ns;
}

/// In the largest unit that is exact without decimals.
std::string time_text(std::int64_t ns) {
  const TimeUnit* largest = time_units.data();
  for (const TimeUnit& unit : time_units) {
    if (ns % unit.in_ns == 0) largest = &unit;
  }
  return fmt::format("{}{}", ns / largest->in_ns, largest->unit);
}

ScopeCondition parse_window(std::string_view condition, std::string_view value) {
  constexpr std::string_view accepted =
      "window:1.2ms-3.4ms is from 1.2 to 3.4 ms behind the trace's first event; units are ns, us, ms and s";
  if (value.find('-') == std::string_view::npos) refuse(condition, "a window has two ends", accepted);
  const auto [begin_text, end_text] = ends_of(value);
  const auto begin = time_ns(begin_text);
  const auto end = time_ns(end_text);
  if (!begin || !end) refuse(condition, "both ends are times in whole nanoseconds, with a unit", accepted);
  if (*end <= *begin) refuse(condition, "the window is empty", accepted);
  return TimeWindow{{*begin, *end}};
}

ScopeCondition parse_condition(std::string_view condition) {
  if (condition.empty()) refuse(condition, "a condition is empty", accepted_conditions);
  const std::size_t colon = condition.find(':');
  if (colon == std::string_view::npos) return AnnotationName{std::string(condition)};
  const std::string_view key = condition.substr(0, colon);
  const std::string_view value = condition.substr(colon + 1);
  if (key == "step") return parse_steps(condition, value);
  if (key == "phase") return parse_phase(condition, value);
  if (key == "module" || key == "annotation") return parse_pattern(condition, key, value);
  if (key == "stream" || key == "device") return parse_number(condition, key, value);
  if (key == "window") return parse_window(condition, value);
  return AnnotationName{std::string(condition)};  // such as nccl:all_reduce
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

struct Writer {
  std::string operator()(const StepRange& steps) const {
    return steps.first == steps.last ? fmt::format("step:{}", steps.first)
                                     : fmt::format("step:{}-{}", steps.first, steps.last);
  }
  std::string operator()(const AnnotationName& name) const {
    const bool is_plain = name.pattern.find(':') == std::string::npos && name.pattern != whole_scope;
    return is_plain ? name.pattern : "annotation:" + name.pattern;
  }
  std::string operator()(const PhaseOfSteps& steps) const {
    const auto* const found = std::ranges::find(phase_words, steps.phase, &PhaseWord::phase);
    return fmt::format("phase:{}", found->word);
  }
  std::string operator()(const ModuleName& name) const { return "module:" + name.pattern; }
  std::string operator()(const StreamNumber& number) const { return fmt::format("stream:{}", number.stream); }
  std::string operator()(const DeviceNumber& number) const { return fmt::format("device:{}", number.device); }
  std::string operator()(const TimeWindow& window) const {
    return fmt::format("window:{}-{}", time_text(window.since_origin.begin_ns), time_text(window.since_origin.end_ns));
  }
};
}  // namespace

Scope parse_scope(std::string_view text) {
  if (text.size() > most_scope_bytes) {
    refuse(text, "the scope is too long", fmt::format("at most {} bytes", most_scope_bytes));
  }
  Scope scope;
  std::string_view rest = trimmed(text);
  if (rest.empty()) refuse(text, "the scope is empty", fmt::format("all is the whole trace; {}", accepted_conditions));
  if (rest == whole_scope) return scope;
  while (true) {
    const std::size_t comma = rest.find(',');
    const std::string_view condition = trimmed(rest.substr(0, comma));
    if (condition != whole_scope) scope.conditions.push_back(parse_condition(condition));
    if (comma == std::string_view::npos) return scope;
    rest.remove_prefix(comma + 1);
  }
}

std::string text_of(const ScopeCondition& condition) { return std::visit(Writer{}, condition); }

std::string text_of(const Scope& scope) {
  if (scope.is_whole()) return std::string(whole_scope);
  std::string text;
  for (const ScopeCondition& condition : scope.conditions) {
    if (!text.empty()) text += ',';
    text += text_of(condition);
  }
  return text;
}
}  // namespace kinetoscope
