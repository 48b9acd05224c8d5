#include "core/trace/decimal_time.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>

#include "core/base/characters.hpp"
#include "core/trace/trace.hpp"

namespace kinetoscope {
namespace {

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
  if (ns > largest_time_ns) return {0, DecimalTime::Status::out_of_range};
  return {number.is_negative ? -ns : ns, is_exact ? DecimalTime::Status::exact : DecimalTime::Status::rounded};
}

/// The number that eight digits write, and whether all eight are digits. Pairs are combined, then pairs of pairs.
struct EightDigits {
  std::uint64_t number = 0;
  bool is_valid = false;
};
EightDigits eight_digits(const char* text) noexcept {
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, text, sizeof(bytes));
  const std::uint64_t digits = bytes - 0x3030'3030'3030'3030u;
  // A byte below '0' or above '9' sets the high bit of its byte in one of the two.
  const bool is_valid = ((digits | (bytes + 0x4646'4646'4646'4646u)) & 0x8080'8080'8080'8080u) == 0;
  const std::uint64_t pairs = (digits * 10 + (digits >> 8)) & 0x00ff'00ff'00ff'00ffu;
  const std::uint64_t fours = (pairs * 100 + (pairs >> 16)) & 0x0000'ffff'0000'ffffu;
  return {(fours * 10'000 + (fours >> 32)) & 0xffff'ffffu, is_valid};
}

/// What exporters write most: nine to fifteen digits, a point, three digits. Negative for all else.
std::int64_t usual_microseconds(std::string_view text) noexcept {
  if constexpr (std::endian::native != std::endian::little) return -1;
  const std::size_t size = text.size();
  if (size < 12 || size > 19 || text[size - 4] != '.') return -1;
  const EightDigits low = eight_digits(text.data() + size - 12);
  unsigned wrong = low.is_valid ? 0 : 1;
  std::uint64_t value = 0;
  for (std::size_t at = 0; at < size - 12; ++at) {
    const unsigned digit = static_cast<unsigned char>(text[at]) - unsigned{'0'};
    wrong |= digit > 9 ? 1 : 0;
    value = value * 10 + digit;
  }
  value = value * 100'000'000 + low.number;
  for (std::size_t at = size - 3; at < size; ++at) {
    const unsigned digit = static_cast<unsigned char>(text[at]) - unsigned{'0'};
    wrong |= digit > 9 ? 1 : 0;
    value = value * 10 + digit;
  }
  return wrong == 0 ? static_cast<std::int64_t>(value) : -1;
}

/// Up to fifteen digits, perhaps a point and one to three more: durations. Negative for all else.
std::int64_t short_microseconds(std::string_view text) noexcept {
  std::int64_t ns = 0;
  std::size_t at = 0;
  while (at < text.size() && at < 15 && is_digit(text[at])) ns = ns * 10 + (text[at++] - '0');
  if (at == 0) return -1;
  int decimals = 0;
  if (at < text.size() && text[at] == '.') {
    for (++at; at < text.size() && decimals < 3 && is_digit(text[at]); ++decimals) ns = ns * 10 + (text[at++] - '0');
    if (decimals == 0) return -1;
  }
  if (at != text.size()) return -1;
  for (; decimals < 3; ++decimals) ns *= 10;
  return ns;
}
}  // namespace

DecimalTime parse_microseconds(std::string_view text) noexcept {
  const bool is_negative = !text.empty() && text.front() == '-';
  const std::string_view digits = is_negative ? text.substr(1) : text;
  std::int64_t ns = usual_microseconds(digits);
  if (ns < 0) ns = short_microseconds(digits);
  if (ns < 0) return slow_microseconds(text);
  return {is_negative ? -ns : ns, DecimalTime::Status::exact};
}
}  // namespace kinetoscope
