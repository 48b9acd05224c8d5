#pragma once

// Lists of rules over names, read from a data file: a rule says which pieces a name must and must not hold, and what it
// then is. All pieces of a file are searched in one pass over the name; rules are then asked in the order of the file.
//
// How a piece is written (schemas/data/*.schema.json say the same):
//   text    anywhere in the name; ASCII case is ignored unless the piece has a capital letter, which must then match
//   |text|  the bar, at either end: a word begins or ends there (rope is a word of qk_norm_rope and applyRopeKernel,
//   not
//           of europe); letters and digits are different words, and so are the parts of CamelCase
//   ^text   at the start of the name's head (name_head.hpp), text$ at its end, @text inside it
// Cost: find() is O(n) in the name's length, the rest a few bit tests a rule. Reading the file: below a millisecond.

#include <bitset>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/names/token_automaton.hpp"

namespace kinetoscope::names {

inline constexpr std::size_t most_pieces = 2048;

/// Which pieces of a file a name holds.
using NameHits = std::bitset<most_pieces>;

/// One list of a data file: under which key it stands, which key of a rule holds the value, what the spellings mean.
struct RuleList {
  std::string_view key;
  std::string_view value_key;
  std::optional<std::uint8_t> (*value_of)(std::string_view spelling) = nullptr;
};

class NameRules {
 public:
  /// Throws Error (data_file_invalid) naming `file` and the rule at fault.
  NameRules(std::string_view file, std::string_view json, std::span<const RuleList> lists);

  [[nodiscard]] NameHits find(std::string_view name) const;
  /// The value of the first rule of a list that holds; absent when none does. `list`: position in the constructor's.
  [[nodiscard]] std::optional<std::uint8_t> first(std::size_t list, const NameHits& hits) const;
  /// Bit v is set when some rule of the list with value v holds.
  [[nodiscard]] std::uint64_t all(std::size_t list, const NameHits& hits) const;

 private:
  using Pieces = std::vector<std::uint16_t>;
  struct Rule {
    std::uint8_t value = 0;
    Pieces within;  // one of these, where there are any: the set that the rule is about
    Pieces any;
    Pieces all;
    Pieces none;
  };
  struct Piece {
    std::string text;  // without marks
    bool word_begins = false;
    bool word_ends = false;
    bool at_head_begin = false;
    bool at_head_end = false;
    bool in_head = false;
    bool exact_case = false;
  };
  class Reader;

  [[nodiscard]] static bool holds(const Rule& rule, const NameHits& hits);
  [[nodiscard]] static Piece parse_piece(std::string_view written);

  std::vector<Piece> pieces_;
  std::vector<std::vector<Rule>> lists_;
  std::optional<TokenAutomaton> automaton_;
};
}  // namespace kinetoscope::names
