#include "examples/generator/json_text.hpp"

#include <cstddef>

#include <fmt/format.h>

namespace kinetoscope::examples {
namespace {

void append_escaped(std::string& out, char character) {
  switch (character) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\n': out += "\\n"; return;
    case '\t': out += "\\t"; return;
    default: break;
  }
  const auto byte = static_cast<unsigned char>(character);
  if (byte < 0x20) {
    out += fmt::format("\\u{:04x}", byte);
  } else {
    out += character;
  }
}
}  // namespace

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (const char character : text) append_escaped(out, character);
  return out + '"';
}

std::string microseconds(std::int64_t time_ns) {
  const bool is_negative = time_ns < 0;
  const std::uint64_t magnitude =
      is_negative ? 0 - static_cast<std::uint64_t>(time_ns) : static_cast<std::uint64_t>(time_ns);
  return fmt::format("{}{}.{:03}", is_negative ? "-" : "", magnitude / 1000, magnitude % 1000);
}

std::string microseconds_with_tail(std::int64_t time_ns) {
  return fmt::format("{:.10f}", static_cast<double>(time_ns) / 1000.0);
}

std::string list_of(const std::vector<std::int64_t>& numbers) { return fmt::format("[{}]", fmt::join(numbers, ", ")); }

std::string elided_list_of(const std::vector<std::int64_t>& numbers) {
  constexpr std::ptrdiff_t written = 30;  // torch/csrc/profiler/util.h: kTruncatLength
  if (numbers.size() <= static_cast<std::size_t>(written)) return list_of(numbers);
  const std::vector<std::int64_t> first(numbers.begin(), numbers.begin() + written);
  return fmt::format("[{}, ..., {}]", fmt::join(first, ", "), numbers.back());
}
}  // namespace kinetoscope::examples
