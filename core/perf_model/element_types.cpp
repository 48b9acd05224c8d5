#include "core/perf_model/element_types.hpp"

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <string>

#include <nlohmann/json.hpp>

#include "embedded/element_types.hpp"
#include "core/base/error.hpp"
#include "core/names/element_sizes.hpp"

namespace kinetoscope::perf_model {
namespace {

struct ElementTypeTable {
  std::map<std::string, ElementType, std::less<>> by_name;
  std::map<std::int64_t, ElementType> by_number;
};

[[noreturn]] void refuse_element_types(const std::string& problem) {
  throw Error({.code = ErrorCode::data_file_invalid,
               .input = "core/perf_model/element_types.json",
               .argument = {},
               .problem = problem});
}

std::optional<Precision> precision_named(std::string_view spelling) {
  for (const auto& known : precisions) {
    if (known.spelling == spelling) return known.value;
  }
  return {};
}

std::int64_t bytes_in(const nlohmann::json& entry) {
  if (!entry.contains("size_of")) return entry.at("bytes").get<std::int64_t>();
  const std::optional<std::int64_t> bytes = names::element_bytes(entry.at("size_of").get<std::string>());
  if (!bytes) refuse_element_types("no size is known of " + entry.at("size_of").dump());
  return *bytes;
}

ElementTypeTable read_element_types() {
  ElementTypeTable table;
  try {
    const nlohmann::json document = nlohmann::json::parse(embedded::element_types());
    for (const nlohmann::json& entry : document.at("types")) {
      ElementType type;
      type.bytes = bytes_in(entry);
      if (entry.contains("precision")) type.precision = precision_named(entry.at("precision").get<std::string>());
      type.is_raw_bytes = entry.value("raw_bytes", false);
      type.values_per_byte = entry.value("values_per_byte", std::int64_t{1});
      for (const nlohmann::json& name : entry.at("names")) table.by_name.emplace(name.get<std::string>(), type);
      if (!entry.contains("scalar_types")) continue;
      for (const nlohmann::json& number : entry.at("scalar_types")) {
        table.by_number.emplace(number.get<std::int64_t>(), type);
      }
    }
  } catch (const nlohmann::json::exception& error) {
    refuse_element_types(error.what());
  }
  return table;
}

const ElementTypeTable& element_type_table() {
  static const ElementTypeTable table = read_element_types();
  return table;
}
}  // namespace

const ElementType* find_element_type(std::string_view type_name) {
  constexpr std::string_view library_prefix = "c10::";
  constexpr std::size_t longest_name = 64;
  if (type_name.starts_with(library_prefix)) type_name.remove_prefix(library_prefix.size());
  if (type_name.size() > longest_name) return nullptr;
  std::string lower(type_name);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto& by_name = element_type_table().by_name;
  const auto found = by_name.find(lower);
  return found == by_name.end() ? nullptr : &found->second;
}

const ElementType* find_scalar_type(std::int64_t number) {
  const auto& by_number = element_type_table().by_number;
  const auto found = by_number.find(number);
  return found == by_number.end() ? nullptr : &found->second;
}
}  // namespace kinetoscope::perf_model
