#include "core/names/step_grammar.hpp"

#include <algorithm>
#include <limits>

#include <nlohmann/json.hpp>

#include "embedded/step_annotations.hpp"
#include "core/base/characters.hpp"
#include "core/base/error.hpp"

namespace kinetoscope::names {
namespace {

constexpr std::array step_modes = {
    Spelled{StepMode::prefill, "prefill"},
    Spelled{StepMode::decode, "decode"},
    Spelled{StepMode::mixed, "mixed"},
    Spelled{StepMode::idle, "idle"},
};
static_assert(follows_enum(step_modes, StepMode::idle));

[[noreturn]] void refuse_grammar(const std::string& argument, std::string problem) {
  throw Error({.code = ErrorCode::data_file_invalid,
               .input = "core/names/step_annotations.json",
               .argument = argument,
               .problem = std::move(problem)});
}

// "execute_{n}_x" -> texts "execute_", "_x" and field "n".
StepShape read_shape(std::string_view written) {
  StepShape shape;
  while (true) {
    const std::size_t open = written.find('{');
    shape.texts.emplace_back(written.substr(0, open));
    if (open == std::string_view::npos) return shape;
    const std::size_t close = written.find('}', open);
    if (close == std::string_view::npos) refuse_grammar(std::string(written), "a field does not close");
    shape.fields.emplace_back(written.substr(open + 1, close - open - 1));
    written.remove_prefix(close + 1);
  }
}

template <typename Enum, std::size_t size>
Enum read_enum(const std::array<Spelled<Enum>, size>& table, const nlohmann::json& value) {
  const auto number = number_of(table, value.get<std::string>());
  if (!number) refuse_grammar(value.dump(), "no known value");
  return static_cast<Enum>(*number);
}

StepGrammar read_grammar(const nlohmann::json& json) {
  StepGrammar grammar;
  grammar.kind = read_enum(step_kinds, json.at("kind"));
  grammar.tier = read_enum(step_tiers, json.at("tier"));
  if (json.contains("shape")) {
    grammar.shape = read_shape(json.at("shape").get<std::string>());
    return grammar;
  }
  grammar.opening = json.at("opening").get<std::string>();
  if (json.contains("mode")) grammar.mode = read_enum(step_modes, json.at("mode"));
  if (json.contains("modes")) {
    for (const auto& [word, mode] : json.at("modes").items()) {
      grammar.modes.emplace_back(word, read_enum(step_modes, mode));
    }
  }
  grammar.requires_key_ending = json.value("requires_key_ending", std::string());
  grammar.requires_key_unless_idle = json.value("requires_key_unless_idle", std::string());
  if (json.contains("only_keys")) grammar.only_keys = json.at("only_keys").get<std::vector<std::string>>();
  return grammar;
}

StepGrammars read_grammars() {
  try {
    const auto document = nlohmann::json::parse(embedded::step_annotations());
    StepGrammars all;
    for (const auto& grammar : document.at("grammars")) all.grammars.push_back(read_grammar(grammar));
    for (const auto& family : document.at("families")) all.families.push_back(read_shape(family.get<std::string>()));
    return all;
  } catch (const nlohmann::json::exception& error) {
    refuse_grammar({}, error.what());
  }
}

constexpr char upper(char c) noexcept { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

bool equal_without_case(std::string_view left, std::string_view right) noexcept {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](char a, char b) { return upper(a) == upper(b); });
}

// The length of one word of a bracket. A list in brackets after "=", with "...+N" behind it, belongs to its word.
std::size_t word_length(std::string_view text) noexcept {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '[') ++depth;
    if (text[i] == ' ' && depth == 0) return i;
    if (text[i] == ']') {
      if (depth == 0) return i;
      --depth;
    }
  }
  return text.size();
}

// False for a number that does not fit: a step with a wrong figure is worse than an unknown one.
bool add_pair(StepValues& values, std::string_view word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos) {
    values.add(word, {}, std::nullopt);
    return true;
  }
  const std::string_view text = word.substr(equals + 1);
  std::string_view rest = text;
  std::int64_t number = 0;
  const bool is_number = StepValues::take_number(rest, number);
  values.add(word.substr(0, equals), text, is_number ? std::optional(number) : std::nullopt);
  return is_number || text.empty() || !is_digit(text.front());
}
}  // namespace

const StepGrammars& step_grammars() {
  static const StepGrammars read = read_grammars();
  return read;
}

bool StepValues::take_number(std::string_view& text, std::int64_t& number) noexcept {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  std::size_t i = 0;
  number = 0;
  for (; i < text.size() && is_digit(text[i]); ++i) {
    const std::int64_t digit = text[i] - '0';
    if (number > (most - digit) / 10) return false;
    number = number * 10 + digit;
  }
  text.remove_prefix(i);
  return i > 0;
}

void StepValues::add(std::string_view key, std::string_view text, std::optional<std::int64_t> number) {
  values_.push_back({key, text, number});
}

const StepValues::Value* StepValues::find(std::string_view key) const noexcept {
  const auto found = std::find_if(values_.begin(), values_.end(), [&](const Value& value) { return value.key == key; });
  return found == values_.end() ? nullptr : &*found;
}

bool StepValues::has_key_ending(std::string_view ending) const noexcept {
  return std::any_of(values_.begin(), values_.end(),
                     [&](const Value& value) { return value.key.ends_with(ending) && value.number.has_value(); });
}

bool StepValues::has_other_keys_than(const std::vector<std::string>& keys) const noexcept {
  return std::any_of(values_.begin(), values_.end(), [&](const Value& value) {
    return !value.number || !std::all_of(value.text.begin(), value.text.end(), is_digit) ||
           std::find(keys.begin(), keys.end(), value.key) == keys.end();
  });
}

std::optional<std::int64_t> StepValues::number(std::string_view key) const noexcept {
  const Value* const value = find(key);
  return value == nullptr ? std::nullopt : value->number;
}

std::string_view StepValues::text(std::string_view key) const noexcept {
  const Value* const value = find(key);
  return value == nullptr ? std::string_view() : value->text;
}

std::optional<StepValues> match_shape(const StepShape& shape, std::string_view name) {
  StepValues values;
  for (std::size_t i = 0; i < shape.texts.size(); ++i) {
    if (!name.starts_with(shape.texts[i])) return std::nullopt;
    name.remove_prefix(shape.texts[i].size());
    if (i == shape.fields.size()) return values;
    std::int64_t number = 0;
    if (!StepValues::take_number(name, number)) return std::nullopt;
    values.add(shape.fields[i], {}, number);
  }
  return values;
}

std::optional<Bracket> match_bracket(const StepGrammar& grammar, std::string_view name) {
  if (!name.starts_with(grammar.opening)) return std::nullopt;
  name.remove_prefix(grammar.opening.size());
  Bracket bracket;
  if (grammar.mode) {
    bracket.mode = *grammar.mode;
  } else {
    const std::string_view word = name.substr(0, word_length(name));
    const auto mode = std::find_if(grammar.modes.begin(), grammar.modes.end(),
                                   [&](const auto& entry) { return equal_without_case(entry.first, word); });
    if (mode == grammar.modes.end()) return std::nullopt;
    bracket.mode = mode->second;
    name.remove_prefix(word.size());
  }
  while (!name.empty() && name.front() != ']') {
    if (name.front() == ' ') {
      name.remove_prefix(1);
      continue;
    }
    const std::size_t length = word_length(name);
    if (!add_pair(bracket.values, name.substr(0, length))) return std::nullopt;
    name.remove_prefix(length);
  }
  if (name.empty()) return std::nullopt;
  return bracket;
}
}  // namespace kinetoscope::names
