#include "core/perf_model/platform_table.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "embedded/platforms.hpp"
#include "core/base/error.hpp"
#include "core/perf_model/platform_reader.hpp"

namespace kinetoscope::perf_model {
namespace {

// Keeps the order in which the legend is written.
using OrderedJson = nlohmann::ordered_json;

constexpr std::string_view platforms_file = "core/perf_model/platforms.json";

/// Words of names that say who made it, not what it is.
constexpr std::array<std::string_view, 5> vendor_words = {"nvidia", "amd", "instinct", "tesla", "geforce"};

char lower_ascii(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool has_name(const Platform& platform, std::string_view normal) {
  if (normal_device_name(platform.name) == normal) return true;
  return std::ranges::any_of(platform.detect.names,
                             [&](const std::string& name) { return normal_device_name(name) == normal; });
}

PlatformTable table_of(const OrderedJson& document) {
  const std::string input(platforms_file);
  PlatformTable table;
  for (const auto& [key, meaning] : document.at("sources").items()) {
    table.sources.push_back({key, meaning.get<std::string>()});
  }
  table.names_that_say_nothing = document.at("names_that_say_nothing").get<std::vector<std::string>>();
  const OrderedJson& platforms = document.at("platforms");
  table.platforms.reserve(platforms.size());
  for (std::size_t i = 0; i < platforms.size(); ++i) {
    table.platforms.push_back(platform_of(nlohmann::json(platforms[i]), input, fmt::format("platforms[{}].", i)));
  }
  const OrderedJson& others = document.at("without_figures");
  table.without_figures.reserve(others.size());
  for (std::size_t i = 0; i < others.size(); ++i) {
    table.without_figures.push_back(
        {others[i].at("name").get<std::string>(), others[i].at("about").get<std::string>(),
         device_marks_of(nlohmann::json(others[i].at("detect")), input, fmt::format("without_figures[{}].", i))});
  }
  return table;
}
}  // namespace

PlatformTable read_platform_table(std::string_view json) {
  try {
    return table_of(OrderedJson::parse(json));
  } catch (const nlohmann::json::exception& problem) {
    throw Error(
        {.code = ErrorCode::data_file_invalid, .input = std::string(platforms_file), .problem = problem.what()});
  }
}

const PlatformTable& platform_table() {
  static const PlatformTable table = read_platform_table(embedded::platforms());
  return table;
}

std::string normal_device_name(std::string_view name) {
  constexpr std::string_view separators = " \t_-/,()";
  std::string out;
  while (!name.empty()) {
    const std::size_t end = std::min(name.find_first_of(separators), name.size());
    std::string word(name.substr(0, end));
    std::ranges::transform(word, word.begin(), lower_ascii);
    name.remove_prefix(std::min(end + 1, name.size()));
    if (word.empty() || std::ranges::find(vendor_words, word) != vendor_words.end()) continue;
    if (!out.empty()) out += ' ';
    out += word;
  }
  return out;
}

const Platform* find_platform(std::string_view name) {
  const std::string normal = normal_device_name(name);
  const Platform* found = nullptr;
  for (const Platform& platform : platform_table().platforms) {
    if (normal_device_name(platform.name) == normal) return &platform;
  }
  for (const Platform& platform : platform_table().platforms) {
    if (!has_name(platform, normal)) continue;
    if (found != nullptr) return nullptr;
    found = &platform;
  }
  return found;
}

const Platform& known_platform(std::string_view name) {
  if (const Platform* const found = find_platform(name)) return *found;
  std::string accepted;
  for (const Platform& platform : platform_table().platforms) {
    accepted += (accepted.empty() ? "there are " : ", ") + platform.name;
  }
  throw Error({.code = ErrorCode::usage,
               .argument = "--platform",
               .received = std::string(name),
               .problem = "there is no such platform",
               .accepted = accepted,
               .next = "name one of these or a file, see: kinetoscope platforms"});
}
}  // namespace kinetoscope::perf_model
