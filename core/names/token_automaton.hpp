#pragma once

// Finds every one of a fixed set of short texts in a name, ASCII case ignored, in one pass: the Aho-Corasick automaton
// as a complete transition table over the characters that occur in the texts.
// Cost: one table look-up a character, whatever the number of texts; the table takes states * characters * 2 bytes.
// Source: A. Aho, M. Corasick, "Efficient string matching", Communications of the ACM 18 (1975).

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kinetoscope::names {

class TokenAutomaton {
 public:
  /// `texts`: none empty, at most 65,535 characters together. Throws std::length_error when they are more.
  explicit TokenAutomaton(std::span<const std::string> texts);

  /// Calls visit(index of a text, position after its last character) for each place where a text stands in `name`.
  template <typename Visit>
  void scan(std::string_view name, Visit visit) const {
    std::size_t state = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
      state = next_[state * characters_ + character_of_[static_cast<unsigned char>(name[i])]];
      for (std::size_t k = found_begin_[state]; k < found_begin_[state + 1]; ++k) visit(found_[k], i + 1);
    }
  }

 private:
  struct Trie;
  void number_characters(std::span<const std::string> texts);
  void complete(Trie& trie);

  std::array<std::uint8_t, 256> character_of_{};  // 0: occurs in no text
  std::size_t characters_ = 1;
  std::vector<std::uint16_t> next_;
  std::vector<std::uint32_t> found_begin_;  // of each state, into found_; one more at the end
  std::vector<std::uint16_t> found_;
};
}  // namespace kinetoscope::names
