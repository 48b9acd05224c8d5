#include "core/perf_model/layout_reader.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kinetoscope::perf_model {
namespace {

using LayoutJson = nlohmann::json;

[[noreturn]] void refuse_field(std::string_view field, const std::string& reason) {
  throw LayoutProblem(fmt::format("field \"{}\": {}", field, reason));
}

bool is_word_of(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const std::size_t blank = words.find(' ');
    if (words.substr(0, blank) == word) return true;
    if (blank == std::string_view::npos) return false;
    words.remove_prefix(blank + 1);
  }
  return false;
}

std::size_t position_in(std::string_view field, const LayoutJson& value) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() >= most_positions) {
    refuse_field(field, fmt::format("{} is no position of an argument, 0 to {}", value.dump(), most_positions - 1));
  }
  return value.get<std::size_t>();
}

LayoutEntry read_entry(const Field& field, const LayoutJson& value) {
  LayoutEntry entry;
  entry.field = field.name;
  switch (field.kind) {
    case FieldKind::tensor:
    case FieldKind::literal:
      if (value.is_array() && !value.empty()) {
        entry.positions.reserve(value.size());
        for (const LayoutJson& position : value) entry.positions.push_back(position_in(field.name, position));
      } else {
        entry.positions.push_back(position_in(field.name, value));
      }
      break;
    case FieldKind::choice:
      if (!value.is_string() || !is_word_of(field.words, value.get<std::string>())) {
        refuse_field(field.name, fmt::format("{} is none of: {}", value.dump(), field.words));
      }
      entry.word = value.get<std::string>();
      break;
    case FieldKind::number:
      if (!value.is_number() || !std::isfinite(value.get<double>())) {
        refuse_field(field.name, value.dump() + " is no number");
      }
      entry.number = value.get<double>();
      break;
  }
  return entry;
}
}  // namespace

Layout read_layout(const ModelFamily& family, const nlohmann::json& arguments) {
  if (!arguments.is_object()) refuse_field("arguments", "is no object");
  Layout layout;
  layout.reserve(arguments.size());
  for (const auto& [name, value] : arguments.items()) {
    const auto field = std::ranges::find(family.fields, name, &Field::name);
    if (field == family.fields.end()) {
      refuse_field(name, fmt::format("the family {} has no such field", family.name));
    }
    layout.push_back(read_entry(*field, value));
  }
  for (const Field& field : family.fields) {
    if (field.is_required && !arguments.contains(field.name)) refuse_field(field.name, "is missing");
  }
  return layout;
}
}  // namespace kinetoscope::perf_model
