#pragma once

// Lists and objects of a trace as they stand in the file, mapped to interned JSON without white space: the same shapes
// are one value, whatever the exporter's layout. Looked at once a distinct text; what is wrong inside one is repaired
// then, and counts for each event that bears it. (The parser passes over lists without checking what is in them.)

#include <string_view>
#include <vector>

#include "core/base/diagnostics.hpp"
#include "core/trace/trace_builder.hpp"

namespace kinetoscope::importers {

class RawJsons {
 public:
  explicit RawJsons(TraceBuilder& builder) : builder_(builder) {}

  struct Value {
    JsonId id = no_json;  ///< no_json for a text beyond repair
    Diagnostics defects;  ///< empty for a sound one
  };
  /// Valid until the next call. O(length) for a text that came before.
  [[nodiscard]] const Value& value(std::string_view raw) {
    const TextIndex::Entry entry = raws_.add(raw);
    if (entry.is_new) values_.push_back(checked(raw));
    return values_[entry.index];
  }

 private:
  [[nodiscard]] Value checked(std::string_view raw);

  TraceBuilder& builder_;
  TextIndex raws_;
  std::vector<Value> values_;  // by the index in raws_
};
}  // namespace kinetoscope::importers
