#include "core/names/token_automaton.hpp"

#include <limits>
#include <stdexcept>

namespace kinetoscope::names {
namespace {

constexpr std::uint16_t no_state = std::numeric_limits<std::uint16_t>::max();

constexpr bool is_upper(unsigned char c) noexcept { return c >= 'A' && c <= 'Z'; }
constexpr unsigned char lower(unsigned char c) noexcept {
  return is_upper(c) ? static_cast<unsigned char>(c - 'A' + 'a') : c;
}
}  // namespace

struct TokenAutomaton::Trie {
  explicit Trie(std::size_t alphabet) : characters(alphabet) { add_state(); }
  std::uint16_t add_state() {
    if (found.size() >= no_state) throw std::length_error("too many texts for one automaton");
    next.resize(next.size() + characters, no_state);
    found.emplace_back();
    return static_cast<std::uint16_t>(found.size() - 1);
  }

  std::size_t characters;
  std::vector<std::uint16_t> next;
  std::vector<std::vector<std::uint16_t>> found;
};

TokenAutomaton::TokenAutomaton(std::span<const std::string> texts) {
  number_characters(texts);
  Trie trie(characters_);
  for (std::size_t index = 0; index < texts.size(); ++index) {
    std::size_t state = 0;
    for (const char c : texts[index]) {
      const std::size_t edge = state * characters_ + character_of_[static_cast<unsigned char>(c)];
      if (trie.next[edge] == no_state) {
        const std::uint16_t added = trie.add_state();
        trie.next[edge] = added;
      }
      state = trie.next[edge];
    }
    trie.found[state].push_back(static_cast<std::uint16_t>(index));
  }
  complete(trie);
}

void TokenAutomaton::number_characters(std::span<const std::string> texts) {
  for (const std::string& text : texts) {
    for (const char c : text) {
      std::uint8_t& number = character_of_[lower(static_cast<unsigned char>(c))];
      if (number == 0) number = static_cast<std::uint8_t>(characters_++);
    }
  }
  for (unsigned c = 'A'; c <= 'Z'; ++c) character_of_[c] = character_of_[lower(static_cast<unsigned char>(c))];
}

// Breadth first: a state's missing edges are those of the state of its longest proper suffix, which is complete by
// then.
void TokenAutomaton::complete(Trie& trie) {
  const std::size_t states = trie.found.size();
  std::vector<std::uint16_t> suffix(states, 0);
  std::vector<std::uint16_t> order = {0};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t state = order[i];
    for (std::size_t c = 0; c < characters_; ++c) {
      std::uint16_t& edge = trie.next[state * characters_ + c];
      const std::uint16_t by_suffix = state == 0 ? std::uint16_t{0} : trie.next[suffix[state] * characters_ + c];
      if (edge == no_state) {
        edge = by_suffix;
        continue;
      }
      suffix[edge] = by_suffix;
      order.push_back(edge);
      const auto& shorter = trie.found[by_suffix];
      trie.found[edge].insert(trie.found[edge].end(), shorter.begin(), shorter.end());
    }
  }
  next_ = std::move(trie.next);
  found_begin_.push_back(0);
  for (const auto& found : trie.found) {
    found_.insert(found_.end(), found.begin(), found.end());
    found_begin_.push_back(static_cast<std::uint32_t>(found_.size()));
  }
}
}  // namespace kinetoscope::names
