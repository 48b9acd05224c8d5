#include "core/tree/pseudo_triggers.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "embedded/pseudo_operators.hpp"
#include "core/base/error.hpp"
#include "core/base/glob.hpp"
#include "core/names/name_rules.hpp"

namespace kinetoscope {
namespace {

constexpr std::string_view data_file = "core/tree/pseudo_operators.json";

constexpr std::array kernel_lists = {names::RuleList{
    "kernels", "trigger", [](std::string_view text) { return names::number_of(kernel_triggers, text); }}};

[[noreturn]] void refuse_trigger(std::string place, std::string_view problem) {
  throw Error({.code = ErrorCode::data_file_invalid,
               .input = std::string(data_file),
               .argument = std::move(place),
               .problem = std::string(problem)});
}

struct NamePattern {
  std::uint8_t trigger = 0;
  std::string pattern;
};

struct TriggerData {
  std::vector<NamePattern> operators;
  std::vector<NamePattern> frames;
  std::vector<std::string> numbered_operators;
  names::NameRules kernels;
};

const nlohmann::json& list_at(const nlohmann::json& document, const char* key) {
  const auto found = document.find(key);
  if (found == document.end() || !found->is_array()) refuse_trigger(key, "there is no list under this key");
  return *found;
}

template <typename Triggers>
std::vector<NamePattern> read_patterns(const nlohmann::json& document, const char* key, const Triggers& triggers) {
  std::vector<NamePattern> patterns;
  for (const nlohmann::json& row : list_at(document, key)) {
    const auto place = fmt::format("{}[{}]", key, patterns.size());
    if (!row.is_object() || !row.contains("trigger") || !row.contains("name"))
      refuse_trigger(place, "trigger or name absent");
    const nlohmann::json& trigger = row.at("trigger");
    const nlohmann::json& name = row.at("name");
    const auto number =
        trigger.is_string() ? names::number_of(triggers, trigger.get_ref<const std::string&>()) : std::nullopt;
    if (!number || !name.is_string()) refuse_trigger(place, "no known trigger, or a name that is no text");
    patterns.push_back({*number, name.get<std::string>()});
  }
  return patterns;
}

TriggerData read_data() {
  const std::string_view text = embedded::pseudo_operators();
  const nlohmann::json document = nlohmann::json::parse(text, nullptr, false);
  if (!document.is_object()) refuse_trigger({}, "the file is no JSON object");
  std::vector<std::string> numbered;
  for (const nlohmann::json& prefix : list_at(document, "numbered_operators")) {
    if (!prefix.is_string()) refuse_trigger("numbered_operators", "a prefix is no text");
    numbered.push_back(prefix.get<std::string>());
  }
  return {read_patterns(document, "operators", operator_triggers), read_patterns(document, "frames", frame_triggers),
          std::move(numbered), names::NameRules(data_file, text, kernel_lists)};
}

const TriggerData& data() {
  static const TriggerData read = read_data();
  return read;
}

std::uint64_t matching(const std::vector<NamePattern>& patterns, std::string_view name) {
  std::uint64_t bits = 0;
  for (const NamePattern& row : patterns) {
    if (matches_glob(name, row.pattern)) bits |= std::uint64_t{1} << row.trigger;
  }
  return bits;
}

std::uint64_t kernel_bits(std::string_view name) { return data().kernels.all(0, data().kernels.find(name)); }
}  // namespace

PseudoTriggers::PseudoTriggers(const Trace& trace) : trace_(&trace) {
  std::array<std::vector<bool>, 3> is_known;
  std::array<std::uint64_t, 3> seen{};
  const std::array tables = {&operators_, &frames_, &kernels_};
  const auto look_at = [&](std::size_t table, NameId name, auto bits_of_name) {
    if (name == no_name) return;
    if (is_known[table].empty()) {
      is_known[table].resize(trace.names_count());
      tables[table]->resize(trace.names_count());
    }
    if (is_known[table][index_of(name)]) return;
    is_known[table][index_of(name)] = true;
    const std::uint64_t bits = bits_of_name(trace.text(name));
    (*tables[table])[index_of(name)] = bits;
    seen[table] |= bits;
  };
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const auto event = id_at<EventId>(i);
    const Role role = trace.role(event);
    if (role == Role::operator_call) {
      look_at(0, trace.name(event), [](std::string_view name) { return matching(data().operators, name); });
    } else if (role == Role::python_call) {
      look_at(1, trace.name(event), [](std::string_view name) { return matching(data().frames, name); });
    } else if (role == Role::kernel) {
      look_at(2, trace.name(event), kernel_bits);
    }
  }
  seen_operators_ = names::EnumSet<OperatorTrigger>(seen[0]);
  seen_frames_ = names::EnumSet<FrameTrigger>(seen[1]);
  seen_kernels_ = names::EnumSet<KernelTrigger>(seen[2]);
}

std::uint64_t PseudoTriggers::bits_of(EventId event, Role role) const noexcept {
  const NameId name = trace_->name(event);
  if (trace_->role(event) != role || name == no_name) return 0;
  if (role == Role::operator_call) return operators_[index_of(name)];
  return role == Role::python_call ? frames_[index_of(name)] : kernels_[index_of(name)];
}

bool PseudoTriggers::holds(EventId event, OperatorTrigger trigger) const noexcept {
  return names::EnumSet<OperatorTrigger>(bits_of(event, Role::operator_call)).has(trigger);
}

bool PseudoTriggers::holds(EventId event, FrameTrigger trigger) const noexcept {
  return names::EnumSet<FrameTrigger>(bits_of(event, Role::python_call)).has(trigger);
}

bool PseudoTriggers::holds(EventId event, KernelTrigger trigger) const noexcept {
  return names::EnumSet<KernelTrigger>(bits_of(event, Role::kernel)).has(trigger);
}

std::string_view without_call_number(std::string_view operator_name) {
  const auto& prefixes = data().numbered_operators;
  if (std::ranges::none_of(prefixes, [&](const std::string& p) { return operator_name.starts_with(p); })) {
    return operator_name;
  }
  const std::size_t last = operator_name.find_last_not_of("0123456789");
  const bool is_numbered =
      last != std::string_view::npos && last + 1 < operator_name.size() && operator_name[last] == '_';
  return is_numbered ? operator_name.substr(0, last) : operator_name;
}
}  // namespace kinetoscope
