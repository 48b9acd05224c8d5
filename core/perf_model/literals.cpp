#include "core/perf_model/literals.hpp"

#include <charconv>
#include <cmath>
#include <system_error>

namespace kinetoscope::perf_model {
namespace {

constexpr std::string_view literal_blanks = " \t\r\n";

std::string_view without_blanks(std::string_view text) noexcept {
  const std::size_t begin = text.find_first_not_of(literal_blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(literal_blanks) - begin + 1);
}

template <typename Number>
std::optional<Number> whole_text_as(std::string_view literal) noexcept {
  const std::string_view text = without_blanks(literal);
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

bool is_spelled(std::string_view text, std::string_view lower) noexcept {
  if (text.size() != lower.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i] >= 'A' && text[i] <= 'Z' ? static_cast<char>(text[i] - 'A' + 'a') : text[i];
    if (c != lower[i]) return false;
  }
  return true;
}

/// Each item by `read`; absent when one of them is.
template <typename Item, typename Read>
std::optional<std::vector<Item>> items_in(std::string_view literal, Read read) {
  std::string_view text = without_blanks(literal);
  std::vector<Item> items;
  if (is_list(text)) {
    text = without_blanks(text.substr(1, text.size() - 2));
    if (text.empty()) return items;
    if (text.back() == ',') text.remove_suffix(1);
  }
  while (true) {
    const std::size_t comma = text.find(',');
    const auto item = read(text.substr(0, comma));
    if (!item) return {};
    items.push_back(*item);
    if (comma == std::string_view::npos) return items;
    text.remove_prefix(comma + 1);
  }
}
}  // namespace

std::optional<bool> truth_in(std::string_view literal) noexcept {
  const std::string_view text = without_blanks(literal);
  if (is_spelled(text, "true") || text == "1") return true;
  if (is_spelled(text, "false") || text == "0") return false;
  return {};
}

std::optional<std::int64_t> whole_number_in(std::string_view literal) noexcept {
  return whole_text_as<std::int64_t>(literal);
}

std::optional<double> number_in(std::string_view literal) noexcept {
  const std::optional<double> value = whole_text_as<double>(literal);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

bool is_list(std::string_view literal) noexcept {
  const std::string_view text = without_blanks(literal);
  if (text.size() < 2) return false;
  return (text.front() == '[' && text.back() == ']') || (text.front() == '(' && text.back() == ')');
}

std::optional<std::vector<std::int64_t>> whole_numbers_in(std::string_view literal) {
  return items_in<std::int64_t>(literal, [](std::string_view item) { return whole_number_in(item); });
}
std::optional<std::vector<double>> numbers_in(std::string_view literal) {
  return items_in<double>(literal, [](std::string_view item) { return number_in(item); });
}
std::optional<std::vector<bool>> truths_in(std::string_view literal) {
  return items_in<bool>(literal, [](std::string_view item) { return truth_in(item); });
}
}  // namespace kinetoscope::perf_model
