#pragma once

// The grammars of step annotations as step_annotations.json has them, ready to be matched.
// Cost: reading is done once; matching a shape or a bracket is one pass over the name.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/names/step_annotations.hpp"

namespace kinetoscope::names {

enum class StepMode : std::uint8_t { prefill, decode, mixed, idle };

/// Text and numbers in turn: texts[0] number texts[1] number ... texts[n]; fields names the n numbers.
struct StepShape {
  std::vector<std::string> texts;
  std::vector<std::string> fields;
};

struct StepGrammar {
  StepKind kind = StepKind::profiler_step;
  StepTier tier = StepTier::profiler;
  std::optional<StepShape> shape;  // else a bracket:
  std::string opening;
  std::optional<StepMode> mode;                         // fixed by the opening, or
  std::vector<std::pair<std::string, StepMode>> modes;  // by the first word, case ignored
  std::string requires_key_ending;                      // empty: none
  std::string requires_key_unless_idle;                 // empty: none
  std::vector<std::string> only_keys;                   // empty: any
};

struct StepGrammars {
  std::vector<StepGrammar> grammars;  // the first that fits decides
  std::vector<StepShape> families;    // beginnings of names that look like steps
};

/// Read once from the built-in file.
[[nodiscard]] const StepGrammars& step_grammars();

/// What an annotation says: fields of a shape, or keys of a bracket, with their values; the first of a key counts.
class StepValues {
 public:
  /// Takes a number at the start of `text`; false when there is none or it needs more than 63 bits.
  [[nodiscard]] static bool take_number(std::string_view& text, std::int64_t& number) noexcept;

  void add(std::string_view key, std::string_view text, std::optional<std::int64_t> number);
  [[nodiscard]] bool has(std::string_view key) const noexcept { return find(key) != nullptr; }
  [[nodiscard]] bool has_key_ending(std::string_view ending) const noexcept;
  [[nodiscard]] bool has_other_keys_than(const std::vector<std::string>& keys) const noexcept;
  [[nodiscard]] std::optional<std::int64_t> number(std::string_view key) const noexcept;
  [[nodiscard]] std::string_view text(std::string_view key) const noexcept;

 private:
  struct Value {
    std::string_view key;
    std::string_view text;
    std::optional<std::int64_t> number;
  };
  [[nodiscard]] const Value* find(std::string_view key) const noexcept;
  std::vector<Value> values_;
};

/// The numbers of a shape at the start of `name`. Views of `name` and `shape`.
[[nodiscard]] std::optional<StepValues> match_shape(const StepShape& shape, std::string_view name);

struct Bracket {
  StepMode mode = StepMode::idle;
  StepValues values;
};
/// The mode and pairs of a bracket at the start of `name`; absent when it does not close. Views of `name`.
[[nodiscard]] std::optional<Bracket> match_bracket(const StepGrammar& grammar, std::string_view name);
}  // namespace kinetoscope::names
