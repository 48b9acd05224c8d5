#include "core/io/tolerant_string.hpp"

#include <algorithm>
#include <array>

namespace kinetoscope::io {
namespace {

constexpr std::string_view tolerated_white_space = " \t\r\n";
constexpr std::size_t tolerated_escape_length = 6;
constexpr std::size_t nearby_bytes = 64;  // keys are shorter; bounds what one quote costs

bool is_hexadecimal(char c) noexcept {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// Words that exporters write as values. Nothing longer is looked for.
constexpr std::array<std::string_view, 12> words = {"null", "true",     "false", "NaN",  "nan",   "inf",
                                                    "Inf",  "Infinity", "None",  "True", "False", "undefined"};

enum class Answer : std::uint8_t { no, yes, not_yet };

Answer begins_word(std::string_view rest) noexcept {
  Answer answer = Answer::no;
  for (const std::string_view word : words) {
    if (rest.size() <= word.size()) {
      if (word.starts_with(rest)) answer = Answer::not_yet;
    } else if (rest.starts_with(word) &&
               std::string_view(" \t\r\n,]}").find(rest[word.size()]) != std::string_view::npos) {
      return Answer::yes;
    }
  }
  return answer;
}

/// Whether an array's element, a further comma, or the array's end begins here.
Answer begins_element(std::string_view rest) noexcept {
  if (rest.empty()) return Answer::not_yet;
  if (std::string_view("\"{[],-").find(rest.front()) != std::string_view::npos || is_digit(rest.front()))
    return Answer::yes;
  return begins_word(rest);
}

/// Whether a key begins at the opening quote in front of `rest`: the next quote, when it is near, is followed by ':'.
Answer begins_key(std::string_view rest) noexcept {
  const std::string_view near = rest.substr(1, nearby_bytes);
  const std::size_t mark = near.find_first_of("\"\\");
  if (mark == std::string_view::npos) return near.size() < nearby_bytes ? Answer::not_yet : Answer::yes;
  if (near[mark] == '\\') return Answer::yes;
  const std::size_t next = skip_white_space(rest, 1 + mark + 1);
  if (next == rest.size()) return Answer::not_yet;
  return rest[next] == ':' ? Answer::yes : Answer::no;
}

/// Whether an object's member, a further comma, or the object's end begins here.
Answer begins_member(std::string_view rest) noexcept {
  if (rest.empty()) return Answer::not_yet;
  if (rest.front() == '"') return begins_key(rest);
  return rest.front() == '}' || rest.front() == ',' ? Answer::yes : Answer::no;
}

bool begins_value(std::string_view rest) noexcept {
  return std::string_view("\"{[-").find(rest.front()) != std::string_view::npos || is_digit(rest.front()) ||
         begins_word(rest) != Answer::no;
}

/// Whether the escape at `position` may be valid once the text goes on.
bool is_cut_escape(std::string_view text, std::size_t position) noexcept {
  if (position + 1 == text.size()) return true;
  return text[position + 1] == 'u' && position + tolerated_escape_length > text.size() &&
         std::ranges::all_of(text.substr(position + 2), is_hexadecimal);
}

/// What a bare quote does.
enum class Quote : std::uint8_t { ends, text, breaks, unknown };

Quote quote_in_key(std::string_view text, std::size_t after, char before) noexcept {
  const std::size_t next = skip_white_space(text, after);
  if (next == text.size()) return Quote::unknown;
  if (text[next] == ':') return Quote::ends;
  if (before == ',' || before == '{') return Quote::breaks;
  if (begins_value(text.substr(next)) || text[next] == ',' || text[next] == '}') return Quote::breaks;
  return Quote::text;
}

Quote quote_in_value(std::string_view text, std::size_t after, StringPlace place) noexcept {
  const std::size_t next = skip_white_space(text, after);
  if (next == text.size()) return Quote::unknown;
  if (text[next] == '}' || text[next] == ']') return Quote::ends;
  if (text[next] != ',' && text[next] != ':') return Quote::text;
  const std::size_t further = skip_white_space(text, next + 1);
  if (text[next] == ':') {
    if (further == text.size()) return Quote::unknown;
    return begins_value(text.substr(further)) ? Quote::breaks : Quote::text;
  }
  const std::string_view rest = text.substr(further);
  const Answer answer = place == StringPlace::element ? begins_element(rest) : begins_member(rest);
  if (answer == Answer::not_yet) return Quote::unknown;
  return answer == Answer::yes ? Quote::ends : Quote::text;
}
}  // namespace

std::size_t skip_white_space(std::string_view text, std::size_t position) noexcept {
  return std::min(text.find_first_not_of(tolerated_white_space, position), text.size());
}

std::size_t escape_length(std::string_view text, std::size_t position) noexcept {
  if (position + 1 >= text.size()) return 0;
  const char letter = text[position + 1];
  if (letter != 'u') return std::string_view("\"\\/bfnrt").find(letter) == std::string_view::npos ? 0 : 2;
  const std::string_view digits = text.substr(position + 2, 4);
  return digits.size() == 4 && std::ranges::all_of(digits, is_hexadecimal) ? tolerated_escape_length : 0;
}

StringEnd find_string_end(std::string_view text, std::size_t begin, StringPlace place) noexcept {
  StringEnd end;
  char before = '\0';  // the last that is no white space
  std::size_t i = begin + 1;
  while (i < text.size()) {
    const char c = text[i];
    if (c == '"') {
      const Quote quote =
          place == StringPlace::key ? quote_in_key(text, i + 1, before) : quote_in_value(text, i + 1, place);
      if (quote != Quote::text) {
        end.position = quote == Quote::ends ? i + 1 : i;
        end.result = quote == Quote::ends     ? CutResult::complete
                     : quote == Quote::breaks ? CutResult::broken
                                              : CutResult::incomplete;
        return end;
      }
      if (before != '\\') end.has_unescaped_quotes = true;
    } else if (c == '\\' && !end.has_invalid_escape) {
      const std::size_t length = escape_length(text, i);
      if (length > 0) {
        before = 'a';  // whatever it stands for
        i += length;
        continue;
      }
      if (is_cut_escape(text, i)) break;
      end.has_invalid_escape = true;
    }
    if (tolerated_white_space.find(c) == std::string_view::npos) before = c;
    ++i;
  }
  end.position = text.size();
  end.result = CutResult::incomplete;
  return end;
}
}  // namespace kinetoscope::io
