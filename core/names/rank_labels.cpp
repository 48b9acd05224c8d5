#include "core/names/rank_labels.hpp"

#include <algorithm>

namespace kinetoscope::names {
namespace {

bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// "TP00": capitals, then digits.
bool is_part(std::string_view part) {
  std::size_t at = 0;
  while (at < part.size() && is_capital(part[at])) ++at;
  if (at == 0 || at == part.size()) return false;
  while (at < part.size() && is_digit(part[at])) ++at;
  return at == part.size();
}
}  // namespace

std::optional<std::string> rank_label(std::string_view process_name) {
  if (!process_name.starts_with('[')) return {};
  const std::size_t end = process_name.find(']');
  if (end == std::string_view::npos) return {};
  const std::string_view label = process_name.substr(1, end - 1);
  for (std::size_t begin = 0; begin <= label.size();) {
    const std::size_t hyphen = std::min(label.find('-', begin), label.size());
    if (!is_part(label.substr(begin, hyphen - begin))) return {};
    begin = hyphen + 1;
  }
  return std::string(label);
}
}  // namespace kinetoscope::names
