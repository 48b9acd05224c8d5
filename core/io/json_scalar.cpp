#include "core/io/json_scalar.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <system_error>

namespace kinetoscope::io {
namespace {

std::string lower_case(std::string_view word) {
  std::string out(word);
  std::ranges::transform(out, out.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; });
  return out;
}

std::string_view take_digits(std::string_view& rest) noexcept {
  const std::size_t count = std::min(rest.find_first_not_of("0123456789"), rest.size());
  const std::string_view digits = rest.substr(0, count);
  rest.remove_prefix(count);
  return digits;
}

bool take(std::string_view& rest, std::string_view one_of) noexcept {
  if (rest.empty() || one_of.find(rest.front()) == std::string_view::npos) return false;
  rest.remove_prefix(1);
  return true;
}

/// A decimal number's parts. Digits may be missing on one side of the dot.
struct Number {
  bool is_negative = false;
  std::string_view whole;  ///< without leading zeros, so "" for 0
  std::string_view fraction;
  bool is_exponent_negative = false;
  std::string_view exponent;  ///< "" without one
};

std::optional<Number> read_number(std::string_view rest) noexcept {
  Number number;
  number.is_negative = rest.starts_with('-');
  take(rest, "+-");
  number.whole = take_digits(rest);
  bool has_digits = !number.whole.empty();
  if (take(rest, ".")) {
    number.fraction = take_digits(rest);
    has_digits = has_digits || !number.fraction.empty();
  }
  if (!has_digits) return {};
  if (take(rest, "eE")) {
    number.is_exponent_negative = rest.starts_with('-');
    take(rest, "+-");
    number.exponent = take_digits(rest);
    if (number.exponent.empty()) return {};
  }
  if (!rest.empty()) return {};
  number.whole.remove_prefix(std::min(number.whole.find_first_not_of('0'), number.whole.size()));
  return number;
}

/// Whether a number that binary64 cannot hold is too large for it, rather than too small.
bool is_large(const Number& number) {
  constexpr std::int64_t beyond_any_length = std::int64_t{1} << 60;
  std::int64_t exponent = 0;
  const std::string_view digits = number.exponent;
  if (!digits.empty() && std::from_chars(digits.data(), digits.data() + digits.size(), exponent).ec != std::errc()) {
    exponent = beyond_any_length;
  }
  if (number.is_exponent_negative) exponent = -exponent;
  const std::size_t zeros = std::min(number.fraction.find_first_not_of('0'), number.fraction.size());
  const auto magnitude =
      static_cast<std::int64_t>(number.whole.size()) - (number.whole.empty() ? static_cast<std::int64_t>(zeros) : 0);
  return magnitude + exponent > 0;
}

bool is_beyond_binary64(const std::string& text, const Number& number) {
  if (number.exponent.empty() && number.whole.size() < 300) return false;
  double value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  return (result.ec == std::errc::result_out_of_range && is_large(number)) || !std::isfinite(value);
}

std::string written(const Number& number) {
  std::string text = number.is_negative ? "-" : "";
  text += number.whole.empty() ? "0" : number.whole;
  if (!number.fraction.empty()) text.append(".").append(number.fraction);
  if (!number.exponent.empty()) text.append(number.is_exponent_negative ? "e-" : "e").append(number.exponent);
  return text;
}

/// The same number, its exponent spelled as JSON allows too.
bool is_valid_spelling(std::string_view word, const std::string& normal) {
  std::string spelled = lower_case(word);
  const std::size_t plus = spelled.find("e+");
  if (plus != std::string::npos) spelled.erase(plus + 1, 1);
  return spelled == normal;
}

/// "inf", "-Infinity", "nan", "-nan(ind)", and "1.#INF", "-1.#IND", "1.#QNAN" of older C libraries.
bool is_nonfinite(std::string_view word) {
  std::string text = lower_case(word);
  if (text.starts_with('-') || text.starts_with('+')) text.erase(0, 1);
  if (text.starts_with("1.#")) return true;
  constexpr std::array words = {"inf", "infinity", "nan", "qnan", "snan"};
  return std::ranges::find(words, std::string_view(text)) != words.end() || text.starts_with("nan(");
}

Scalar read_word(std::string_view word) {
  if (word == "null" || word == "true" || word == "false") return {Scalar::Kind::valid, std::string(word)};
  if (is_nonfinite(word)) return {Scalar::Kind::nonfinite, "null"};
  const std::string text = lower_case(word);
  if (text == "true" || text == "false" || text == "null") return {Scalar::Kind::repaired, text};
  if (text == "none" || text == "undefined") return {Scalar::Kind::repaired, "null"};
  return {Scalar::Kind::unknown, "null"};
}
}  // namespace

Scalar read_scalar(std::string_view word) {
  const std::optional<Number> number = read_number(word);
  if (!number) return read_word(word);
  std::string text = written(*number);
  if (is_beyond_binary64(text, *number)) return {Scalar::Kind::nonfinite, "null"};
  if (is_valid_spelling(word, text)) return {Scalar::Kind::valid, std::string(word)};
  return {Scalar::Kind::repaired, std::move(text)};
}
}  // namespace kinetoscope::io
