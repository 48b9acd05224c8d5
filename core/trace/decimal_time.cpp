#include "core/trace/decimal_time.hpp"

#include <algorithm>
#include <charconv>

#include "core/trace/trace.hpp"

namespace kinetoscope {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A decimal number as digits and the power of ten of the last: -12.5e3 is {true, "125", 2}.
struct Decimal {
  bool is_negative = false;
  std::string_view whole;
  std::string_view fraction;
  std::int64_t exponent = 0;
  bool is_valid = false;
};

Decimal split(std::string_view text) noexcept {
  Decimal out;
  std::size_t at = 0;
  if (at < text.size() && text[at] == '-') {
    out.is_negative = true;
    ++at;
  }
  const std::size_t whole_begin = at;
  while (at < text.size() && is_digit(text[at])) ++at;
  out.whole = text.substr(whole_begin, at - whole_begin);
  if (at < text.size() && text[at] == '.') {
    const std::size_t fraction_begin = ++at;
    while (at < text.size() && is_digit(text[at])) ++at;
    out.fraction = text.substr(fraction_begin, at - fraction_begin);
    if (out.fraction.empty()) return out;
  }
  if (out.whole.empty()) return out;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    if (++at < text.size() && text[at] == '+') ++at;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), out.exponent);
    if (error == std::errc::result_out_of_range) {
      // Digits only, so many that the number is zero or beyond any range: either way by a small power's means.
      out.exponent = text[at] == '-' ? -1'000'000'000 : 1'000'000'000;
    } else if (error != std::errc()) {
      return out;
    }
    at = static_cast<std::size_t>(end - text.data());
  }
  out.is_valid = at == text.size();
  return out;
}

/// The digit of the number's place 10^power, zero beyond what is written.
int digit_at(const Decimal& number, std::int64_t power) noexcept {
  const std::int64_t place = power - number.exponent;
  const std::string_view digits = place >= 0 ? number.whole : number.fraction;
  const std::int64_t index = place >= 0 ? static_cast<std::int64_t>(number.whole.size()) - 1 - place : -place - 1;
  if (index < 0 || index >= static_cast<std::int64_t>(digits.size())) return 0;
  return digits[static_cast<std::size_t>(index)] - '0';
}

DecimalTime slow_microseconds(std::string_view text) noexcept {
  const Decimal number = split(text);
  if (!number.is_valid) return {};
  constexpr std::int64_t nanosecond = -3;  // of a microsecond, as a power of ten
  const bool all_zero = std::ranges::all_of(number.whole, [](char c) { return c == '0'; }) &&
                        std::ranges::all_of(number.fraction, [](char c) { return c == '0'; });
  if (all_zero) return {0, DecimalTime::Status::exact};
  const std::int64_t highest = number.exponent + static_cast<std::int64_t>(number.whole.size()) - 1;
  const std::int64_t lowest = number.exponent - static_cast<std::int64_t>(number.fraction.size());
  std::int64_t ns = 0;
  for (std::int64_t power = highest; power >= nanosecond; --power) {
    const int digit = digit_at(number, power);
    if (ns > (largest_time_ns - digit) / 10) return {0, DecimalTime::Status::out_of_range};
    ns = ns * 10 + digit;
  }
  bool beyond_half = false;
  bool is_exact = true;
  const std::int64_t first_dropped = std::min(nanosecond - 1, highest);
  for (std::int64_t power = first_dropped; power >= lowest && !(beyond_half && !is_exact); --power) {
    if (digit_at(number, power) == 0) continue;
    is_exact = false;
    if (power < nanosecond - 1) beyond_half = true;
  }
  const int half = highest >= nanosecond - 1 ? digit_at(number, nanosecond - 1) : 0;
  if (half > 5 || (half == 5 && (beyond_half || ns % 2 == 1))) ++ns;
  return {number.is_negative ? -ns : ns, is_exact ? DecimalTime::Status::exact : DecimalTime::Status::rounded};
}
}  // namespace

DecimalTime parse_microseconds(std::string_view text) noexcept {
  // What exporters write: some digits, then perhaps a point and one to three more. All else goes the slow way.
  std::size_t at = !text.empty() && text.front() == '-' ? 1 : 0;
  const bool is_negative = at == 1;
  std::int64_t ns = 0;
  const std::size_t whole_begin = at;
  const std::size_t most = std::min(text.size(), at + 15);
  while (at < most && is_digit(text[at])) ns = ns * 10 + (text[at++] - '0');
  if (at == whole_begin) return slow_microseconds(text);
  int decimals = 0;
  if (at < text.size() && text[at] == '.') {
    ++at;
    while (at < text.size() && decimals < 3 && is_digit(text[at])) {
      ns = ns * 10 + (text[at++] - '0');
      ++decimals;
    }
    if (decimals == 0) return slow_microseconds(text);
  }
  if (at != text.size()) return slow_microseconds(text);
  constexpr std::int64_t scale[] = {1000, 100, 10, 1};
  ns *= scale[decimals];
  return {is_negative ? -ns : ns, DecimalTime::Status::exact};
}
}  // namespace kinetoscope
