#include "core/analysis/recorded_arguments.hpp"

#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace kinetoscope::analysis {
namespace {

RecordedArgument argument_of_text(std::string_view key, std::string_view text, bool is_json, std::size_t most_bytes) {
  if (text.size() <= most_bytes) return {std::string(key), std::string(text), is_json, false};
  std::size_t end = most_bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) --end;  // within a character
  return {std::string(key), std::string(text.substr(0, end)), false, true};
}

std::optional<RecordedArgument> argument_at(const Trace& trace, EventId event, const ArgumentInfo& info,
                                            std::size_t most_bytes) {
  const auto number = [&](const auto& value) -> std::optional<RecordedArgument> {
    if (!value) return {};
    return RecordedArgument{std::string(info.key), fmt::format("{}", *value), true, false};
  };
  switch (info.type) {
    case ArgumentType::integer: return number(trace.integer(event, info.argument));
    case ArgumentType::identifier: return number(trace.identifier(event, info.argument));
    case ArgumentType::real: return number(trace.real(event, info.argument));
    case ArgumentType::text: {
      const std::optional<NameId> text = trace.text(event, info.argument);
      if (!text) return {};
      return argument_of_text(info.key, trace.text(*text), false, most_bytes);
    }
    case ArgumentType::json: {
      const std::optional<JsonId> json = trace.json(event, info.argument);
      if (!json) return {};
      return argument_of_text(info.key, trace.json_text(*json), true, most_bytes);
    }
  }
  return {};
}
}  // namespace

std::vector<RecordedArgument> recorded_arguments(const Trace& trace, EventId event, std::size_t most_bytes) {
  std::vector<RecordedArgument> out;
  for (const ArgumentInfo& info : argument_table) {
    if (auto argument = argument_at(trace, event, info, most_bytes)) out.push_back(std::move(*argument));
  }
  const std::string_view others = trace.other_arguments(event);
  if (!others.empty()) out.push_back(argument_of_text("other", others, true, most_bytes));
  return out;
}
}  // namespace kinetoscope::analysis
