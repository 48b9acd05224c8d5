#include "core/names/frameworks.hpp"

#include "embedded/frameworks.hpp"
#include "core/names/name_rules.hpp"

namespace kinetoscope::names {
namespace {

enum FrameworkList : std::size_t { evidence, captures };

constexpr std::array framework_lists = {
    RuleList{"evidence", "framework", [](std::string_view text) { return number_of(frameworks, text); }},
    RuleList{"captures", "capture",
             [](std::string_view text) { return text == "graph" ? std::optional<std::uint8_t>(0) : std::nullopt; }},
};

const NameRules& framework_rules() {
  static const NameRules read("core/names/frameworks.json", embedded::frameworks(), framework_lists);
  return read;
}

// "capture_" and decimal digits and "_" and more.
bool is_numbered_capture(std::string_view name) {
  constexpr std::string_view prefix = "capture_";
  if (!name.starts_with(prefix)) return false;
  const std::size_t end = name.find_first_not_of("0123456789", prefix.size());
  return end != std::string_view::npos && end > prefix.size() && name[end] == '_' && end + 1 < name.size();
}
}  // namespace

std::optional<Framework> framework_of(std::string_view host_event_name) {
  const auto value = framework_rules().first(evidence, framework_rules().find(host_event_name));
  if (!value) return std::nullopt;
  return static_cast<Framework>(*value);
}

bool is_capture_annotation(std::string_view name) {
  return is_numbered_capture(name) || framework_rules().first(captures, framework_rules().find(name)).has_value();
}
}  // namespace kinetoscope::names
