#include "core/analysis/record_advice.hpp"

#include <algorithm>
#include <map>

#include <nlohmann/json.hpp>

#include "embedded/record_advice.hpp"
#include "core/base/error.hpp"

namespace kinetoscope::analysis {
namespace {

/// What one need adds to one framework's frame.
struct Addition {
  std::map<std::string, std::string> slots;
  std::vector<std::string> lines;
};

struct Framework {
  std::string name;
  std::vector<std::string> frame;
  std::array<Addition, record_needs.size()> additions;
};

[[noreturn]] void refuse(const std::string& problem) {
  throw Error({.code = ErrorCode::data_file_invalid,
               .input = "core/analysis/record_advice.json",
               .argument = {},
               .problem = problem});
}

Addition read_addition(const nlohmann::json& json) {
  Addition addition;
  if (json.contains("slots")) addition.slots = json.at("slots").get<std::map<std::string, std::string>>();
  if (json.contains("lines")) addition.lines = json.at("lines").get<std::vector<std::string>>();
  return addition;
}

std::vector<Framework> read_frameworks(const nlohmann::json& document) {
  std::vector<Framework> frameworks;
  for (const nlohmann::json& json : document.at("frameworks")) {
    frameworks.push_back(
        {json.at("framework").get<std::string>(), json.at("frame").get<std::vector<std::string>>(), {}});
  }
  std::size_t position = 0;
  for (const nlohmann::json& need : document.at("needs")) {
    if (position >= record_needs.size() || need.at("need") != record_needs[position].spelling) {
      refuse("a need is missing, unknown, or out of order: " + need.at("need").dump());
    }
    for (Framework& framework : frameworks) {
      framework.additions[position] = read_addition(need.at(framework.name));
    }
    ++position;
  }
  if (position != record_needs.size()) refuse("needs are missing at the end");
  return frameworks;
}

const std::vector<Framework>& frameworks() {
  static const std::vector<Framework> read = [] {
    try {
      return read_frameworks(nlohmann::json::parse(embedded::record_advice()));
    } catch (const nlohmann::json::exception& error) {
      refuse(error.what());
    }
  }();
  return read;
}

/// `line` with each {slot} replaced by what stands for it, or by nothing.
std::string filled(std::string_view line, const std::map<std::string, std::string>& slots) {
  std::string out;
  while (!line.empty()) {
    const std::size_t open = line.find('{');
    const std::size_t end = open == std::string_view::npos ? open : line.find_first_of("{}", open + 1);
    const bool is_slot = end != std::string_view::npos && line[end] == '}' && end > open + 1 &&
                         line.substr(open + 1, end - open - 1).find_first_not_of("abcdefghijklmnopqrstuvwxyz_") ==
                             std::string_view::npos;
    if (!is_slot) {
      const std::size_t plain = open == std::string_view::npos ? line.size() : open + 1;
      out += line.substr(0, plain);
      line.remove_prefix(plain);
      continue;
    }
    out += line.substr(0, open);
    const auto found = slots.find(std::string(line.substr(open + 1, end - open - 1)));
    if (found != slots.end()) out += found->second;
    line.remove_prefix(end + 1);
  }
  return out;
}

RecordAdvice advice_of(const Framework& framework, std::span<const RecordNeed> sorted_needs) {
  std::map<std::string, std::string> slots;
  std::vector<std::string> behind;
  for (const RecordNeed need : sorted_needs) {
    const Addition& addition = framework.additions[static_cast<std::size_t>(need)];
    for (const auto& [slot, text] : addition.slots) {
      std::string& all = slots[slot];
      if (all.find(text) == std::string::npos) all += text;
    }
    for (const std::string& line : addition.lines) {
      if (std::ranges::find(behind, line) == behind.end()) behind.push_back(line);
    }
  }
  RecordAdvice advice{framework.name, {}};
  for (const std::string& line : framework.frame) advice.lines.push_back(filled(line, slots));
  advice.lines.insert(advice.lines.end(), behind.begin(), behind.end());
  return advice;
}
}  // namespace

std::vector<RecordAdvice> record_advice(std::span<const RecordNeed> needs) {
  std::vector<RecordNeed> sorted(needs.begin(), needs.end());
  std::ranges::sort(sorted);
  sorted.erase(std::ranges::unique(sorted).begin(), sorted.end());
  std::vector<RecordAdvice> out;
  if (sorted.empty()) return out;
  for (const Framework& framework : frameworks()) out.push_back(advice_of(framework, sorted));
  return out;
}
}  // namespace kinetoscope::analysis
