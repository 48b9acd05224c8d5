#pragma once

// The arguments of a call as Python source writes them, cut into tokens; nothing is evaluated. Literals (texts,
// numbers, lists, dictionaries) and names are understood, operators are not: a call with one of them is no such call.
// Brackets are matched by a list, so that depth costs memory and no stack. Cost: O(length).

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace kinetoscope::perf_model {

enum class PythonTokenKind : std::uint8_t {
  name,    ///< x, ReductionHint.INNER
  text,    ///< what stands between the quotes, escapes as they are written
  number,  ///< with its sign, if any
  open,    ///< ( [ {
  close,
  other,  ///< , : =
};

struct PythonToken {
  PythonTokenKind kind = PythonTokenKind::other;
  std::string_view text;
  std::size_t length = 1;  ///< of an opening bracket the tokens up to its closing one, both counted
  [[nodiscard]] bool is(std::string_view other) const noexcept {
    return kind != PythonTokenKind::text && text == other;
  }
};
using PythonTokens = std::span<const PythonToken>;

/// What stands between the brackets of a call, and where the source goes on behind them.
struct PythonCall {
  std::vector<PythonToken> tokens;  ///< views of the source
  std::size_t end = 0;              ///< behind the closing bracket, or where the source is not understood
  bool is_whole = false;            ///< up to the closing bracket
};
/// `begin` is behind the opening bracket.
[[nodiscard]] PythonCall read_python_call(std::string_view source, std::size_t begin);

/// One of several that stand between commas: `key: value`, `key=value`, or a value alone.
struct PythonEntry {
  PythonTokens key;  ///< empty for a value alone
  PythonTokens value;
};
/// Of the tokens inside of a pair of brackets; the members of inner brackets belong to the values.
[[nodiscard]] std::vector<PythonEntry> python_entries(PythonTokens inside);
/// Of a value that is a list, tuple or dictionary and nothing else; absent for others.
[[nodiscard]] std::optional<std::vector<PythonEntry>> members_of(PythonTokens value);
/// The value of the first entry with this key, a text or a name; empty without.
[[nodiscard]] PythonTokens value_of(std::span<const PythonEntry> entries, std::string_view key);
/// Of a value that is one text; absent for others.
[[nodiscard]] std::optional<std::string_view> text_of(PythonTokens value);
/// A whole number from 0; absent for others.
[[nodiscard]] std::optional<std::int64_t> count_of(PythonTokens value);
}  // namespace kinetoscope::perf_model
