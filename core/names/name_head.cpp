#include "core/names/name_head.hpp"

#include <optional>

#include "core/base/characters.hpp"

namespace kinetoscope::names {
namespace {

constexpr std::string_view unnamed = "(anonymous namespace)";

// "_ZN5aiter24add_rmsnorm_quant_kernelI...": qualifiers, then lengths and identifiers up to the template arguments.
std::optional<NameHead> mangled_head(std::string_view name) noexcept {
  if (!name.starts_with("_Z")) return std::nullopt;
  std::size_t at = 2;
  while (at < name.size() && (name[at] == 'N' || name[at] == 'L' || name[at] == 'K')) ++at;
  const std::size_t begin = at;
  while (at < name.size() && is_digit(name[at])) {
    std::size_t length = 0;
    while (at < name.size() && is_digit(name[at]) && length < name.size()) {
      length = length * 10 + static_cast<std::size_t>(name[at++] - '0');
    }
    if (length > name.size() - at) return NameHead{begin, name.size()};  // cut short or no mangled name
    at += length;
    if (at < name.size() && name[at] == 'L') ++at;
  }
  if (at == begin) return std::nullopt;
  return NameHead{begin, at};
}

// A word before a space is a return type: void, something<...>, something::type.
bool is_return_type(std::string_view word) noexcept {
  return word == "void" || word == "static" || word == "__global__" || word.ends_with('>') || word.ends_with("::type");
}
}  // namespace

NameHead head_of(std::string_view name) noexcept {
  if (const auto mangled = mangled_head(name)) return *mangled;
  NameHead head{0, name.size()};
  std::size_t angle = 0;
  std::size_t round = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (c == '(' && name.substr(i).starts_with(unnamed)) {
      i += unnamed.size() - 1;
    } else if (angle > 0 && (c == '(' || c == ')')) {
      if (c == '(') ++round;
      if (c == ')' && round > 0) --round;
    } else if (c == '<' && round == 0) {
      if (angle++ == 0 && head.end == name.size()) head.end = i;
    } else if (c == '>' && round == 0 && angle > 0) {
      --angle;
    } else if (c == '(' && angle == 0) {
      if (i > head.begin && head.end == name.size() && name[i - 1] != ' ') head.end = i;
      break;
    } else if (c == ' ' && angle == 0 && is_return_type(name.substr(head.begin, i - head.begin))) {
      head = {i + 1, name.size()};
    }
  }
  return head;
}
}  // namespace kinetoscope::names
