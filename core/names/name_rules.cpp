#include "core/names/name_rules.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/characters.hpp"
#include "core/base/error.hpp"
#include "core/names/name_head.hpp"

namespace kinetoscope::names {
namespace {

// Whether one word ends and another begins between name[at - 1] and name[at].
bool is_word_boundary(std::string_view name, std::size_t at) noexcept {
  if (at == 0 || at >= name.size()) return true;
  const char before = name[at - 1];
  const char after = name[at];
  if (!is_alphanumeric(before) || !is_alphanumeric(after)) return true;
  if (is_digit(before) != is_digit(after)) return true;
  if (is_lower(before) && is_upper(after)) return true;
  return is_upper(before) && is_upper(after) && at + 1 < name.size() && is_lower(name[at + 1]);
}

[[noreturn]] void refuse(std::string_view file, std::string argument, std::string problem) {
  throw Error({.code = ErrorCode::data_file_invalid,
               .input = std::string(file),
               .argument = std::move(argument),
               .problem = std::move(problem)});
}
}  // namespace

// Reads one file: names each piece once, expands sets, keeps the place for messages.
class NameRules::Reader {
 public:
  Reader(std::string_view file, NameRules& rules) : file_(file), rules_(rules) {}

  void read(const nlohmann::json& document, std::span<const RuleList> lists) {
    if (!document.is_object()) refuse(file_, {}, "the file is no JSON object");
    read_sets(document);
    for (const RuleList& list : lists) read_list(document, list);
  }

 private:
  void read_sets(const nlohmann::json& document) {
    const auto sets = document.find("sets");
    if (sets == document.end()) return;
    if (!sets->is_object()) refuse(file_, "sets", "sets is no object");
    for (const auto& [name, pieces] : sets->items()) sets_[name] = read_pieces(pieces, "sets." + name);
  }

  void read_list(const nlohmann::json& document, const RuleList& list) {
    const std::string key(list.key);
    const auto found = document.find(key);
    if (found == document.end() || !found->is_object() || !found->contains("rules") || !found->at("rules").is_array()) {
      refuse(file_, key, "there is no list of rules under this key");
    }
    std::vector<Rule>& rules = rules_.lists_.emplace_back();
    std::size_t position = 0;
    for (const nlohmann::json& rule : found->at("rules")) {
      rules.push_back(read_rule(rule, list, fmt::format("{}.rules[{}]", key, position++)));
    }
  }

  Rule read_rule(const nlohmann::json& json, const RuleList& list, const std::string& place) {
    if (!json.is_object()) refuse(file_, place, "a rule is no object");
    Rule rule;
    bool has_value = false;
    for (const auto& [key, value] : json.items()) {
      if (key == list.value_key) {
        const auto number = value.is_string() ? list.value_of(value.get_ref<const std::string&>()) : std::nullopt;
        if (!number) refuse(file_, fmt::format("{}.{}", place, key), "no known value: " + value.dump());
        rule.value = *number;
        has_value = true;
      } else if (key == "within") {
        rule.within = read_set(value, place);
      } else if (key == "any") {
        rule.any = read_pieces(value, place);
      } else if (key == "all") {
        rule.all = read_pieces(value, place);
      } else if (key == "none") {
        rule.none = read_pieces(value, place);
      } else if (key != "about") {
        refuse(file_, fmt::format("{}.{}", place, key), "unknown key");
      }
    }
    if (!has_value) refuse(file_, place, "the rule has no value");
    if (rule.within.empty() && rule.any.empty() && rule.all.empty())
      refuse(file_, place, "the rule holds for every name");
    return rule;
  }

  Pieces read_set(const nlohmann::json& name, const std::string& place) {
    const auto set = name.is_string() ? sets_.find(name.get_ref<const std::string&>()) : sets_.end();
    if (set == sets_.end()) refuse(file_, place + ".within", "there is no such set");
    return set->second;
  }

  // "{name}" stands for the pieces of a set.
  Pieces read_pieces(const nlohmann::json& list, const std::string& place) {
    if (!list.is_array()) refuse(file_, place, "pieces are no list");
    Pieces pieces;
    for (const nlohmann::json& item : list) {
      if (!item.is_string()) refuse(file_, place, "a piece is no text");
      const auto& written = item.get_ref<const std::string&>();
      if (written.size() > 2 && written.front() == '{' && written.back() == '}') {
        const Pieces set = read_set(written.substr(1, written.size() - 2), place);
        pieces.insert(pieces.end(), set.begin(), set.end());
      } else {
        pieces.push_back(number_of_piece(written, place));
      }
    }
    return pieces;
  }

  std::uint16_t number_of_piece(const std::string& written, const std::string& place) {
    const auto [entry, added] = numbers_.try_emplace(written, static_cast<std::uint16_t>(rules_.pieces_.size()));
    if (added) {
      rules_.pieces_.push_back(parse_piece(written));
      if (rules_.pieces_.back().text.empty()) refuse(file_, place, "an empty piece");
      if (rules_.pieces_.size() > most_pieces) refuse(file_, place, fmt::format("more than {} pieces", most_pieces));
    }
    return entry->second;
  }

  std::string_view file_;
  NameRules& rules_;
  std::map<std::string, std::uint16_t> numbers_;
  std::map<std::string, Pieces, std::less<>> sets_;
};

NameRules::NameRules(std::string_view file, std::string_view json, std::span<const RuleList> lists) {
  const nlohmann::json document = nlohmann::json::parse(json, nullptr, false);
  if (document.is_discarded()) refuse(file, {}, "the file is no valid JSON");
  Reader(file, *this).read(document, lists);
  std::vector<std::string> texts;
  texts.reserve(pieces_.size());
  for (const Piece& piece : pieces_) texts.push_back(piece.text);
  automaton_.emplace(texts);
}

NameRules::Piece NameRules::parse_piece(std::string_view written) {
  Piece piece;
  if (written.starts_with('^')) {
    piece.at_head_begin = true;
    written.remove_prefix(1);
  } else if (written.starts_with('@')) {
    piece.in_head = true;
    written.remove_prefix(1);
  }
  if (written.ends_with('$')) {
    piece.at_head_end = true;
    written.remove_suffix(1);
  }
  if (written.starts_with('|')) {
    piece.word_begins = true;
    written.remove_prefix(1);
  }
  if (written.ends_with('|')) {
    piece.word_ends = true;
    written.remove_suffix(1);
  }
  piece.text = written;
  piece.exact_case = std::any_of(written.begin(), written.end(), is_upper);
  return piece;
}

NameHits NameRules::find(std::string_view name) const {
  NameHits hits;
  const NameHead head = head_of(name);
  automaton_->scan(name, [&](std::size_t index, std::size_t end) {
    if (hits[index]) return;
    const Piece& piece = pieces_[index];
    const std::size_t begin = end - piece.text.size();
    if (piece.at_head_begin && begin != head.begin) return;
    if (piece.at_head_end && end != head.end) return;
    if (piece.in_head && (begin < head.begin || end > head.end)) return;
    if (piece.word_begins && !is_word_boundary(name, begin)) return;
    if (piece.word_ends && !is_word_boundary(name, end)) return;
    if (piece.exact_case && name.substr(begin, piece.text.size()) != piece.text) return;
    hits.set(index);
  });
  return hits;
}

bool NameRules::holds(const Rule& rule, const NameHits& hits) {
  const auto is_hit = [&](std::uint16_t piece) { return hits[piece]; };
  if (!rule.within.empty() && std::none_of(rule.within.begin(), rule.within.end(), is_hit)) return false;
  if (!rule.any.empty() && std::none_of(rule.any.begin(), rule.any.end(), is_hit)) return false;
  return std::all_of(rule.all.begin(), rule.all.end(), is_hit) &&
         std::none_of(rule.none.begin(), rule.none.end(), is_hit);
}

std::optional<std::uint8_t> NameRules::first(std::size_t list, const NameHits& hits) const {
  for (const Rule& rule : lists_[list]) {
    if (holds(rule, hits)) return rule.value;
  }
  return std::nullopt;
}

std::uint64_t NameRules::all(std::size_t list, const NameHits& hits) const {
  std::uint64_t values = 0;
  for (const Rule& rule : lists_[list]) {
    if (holds(rule, hits)) values |= std::uint64_t{1} << rule.value;
  }
  return values;
}
}  // namespace kinetoscope::names
