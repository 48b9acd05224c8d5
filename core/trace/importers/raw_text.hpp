#pragma once

// Texts of a trace as they stand in the file, between their quotes, mapped to interned names. Unescaping happens once a
// distinct text, and defects of a text (an invalid escape, half a character) are remembered, so that each event that
// bears it counts.

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/trace/trace_builder.hpp"

namespace kinetoscope::importers {

class RawTexts {
 public:
  explicit RawTexts(TraceBuilder& builder) : builder_(builder) {}

  struct Name {
    NameId id = no_name;
    std::uint32_t replaced = 0;       ///< halves of surrogate pairs that stand alone: each is U+FFFD
    bool has_invalid_escape = false;  ///< every backslash was taken literally
    [[nodiscard]] bool has_defect() const noexcept { return has_invalid_escape || replaced > 0; }
  };
  /// `raw` is valid UTF-8 without quotes around it.
  [[nodiscard]] Name name(std::string_view raw) {
    const TextIndex::Entry entry = raws_.add(raw);
    if (entry.is_new) names_.push_back(unescaped(raw));
    return names_[entry.index];
  }

 private:
  [[nodiscard]] Name unescaped(std::string_view raw);

  TraceBuilder& builder_;
  TextIndex raws_;
  std::vector<Name> names_;  // by the index in raws_
};
}  // namespace kinetoscope::importers
