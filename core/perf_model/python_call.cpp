#include "core/perf_model/python_call.hpp"

#include <algorithm>
#include <utility>

#include "core/base/characters.hpp"
#include "core/perf_model/literals.hpp"

namespace kinetoscope::perf_model {
namespace {

bool begins_python_name(char c) { return c == '_' || is_upper(c) || is_lower(c); }
bool continues_python_name(char c) { return c == '_' || c == '.' || is_alphanumeric(c); }

class PythonCutter {
 public:
  PythonCutter(std::string_view source, std::size_t begin) : source_(source) { call_.end = begin; }

  [[nodiscard]] PythonCall cut() {
    while (!call_.is_whole && next()) {
    }
    return std::move(call_);
  }

 private:
  /// False where the source ends or is not understood.
  bool next() {
    skip_blanks();
    if (call_.end >= source_.size()) return false;
    const char c = source_[call_.end];
    if (c == '\'' || c == '"') return add_text(c);
    if (begins_python_name(c)) return add(PythonTokenKind::name, length_while(continues_python_name, 1));
    if (is_digit(c) || c == '-' || c == '.') return add_number();
    if (c == '(' || c == '[' || c == '{') {
      open_.push_back(call_.tokens.size());
      return add(PythonTokenKind::open, 1);
    }
    if (c == ')' || c == ']' || c == '}') return close(c);
    return (c == ',' || c == ':' || c == '=') && add(PythonTokenKind::other, 1);
  }

  void skip_blanks() {
    while (call_.end < source_.size()) {
      const char c = source_[call_.end];
      if (c == '#') {
        call_.end = std::min(source_.find('\n', call_.end), source_.size());
      } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        ++call_.end;
      } else {
        return;
      }
    }
  }

  template <typename Belongs>
  [[nodiscard]] std::size_t length_while(Belongs belongs, std::size_t length) const {
    while (call_.end + length < source_.size() && belongs(source_[call_.end + length])) ++length;
    return length;
  }

  bool add(PythonTokenKind kind, std::size_t length) {
    call_.tokens.push_back({kind, source_.substr(call_.end, length)});
    call_.end += length;
    return true;
  }

  /// 4096, -1, 0.1, 1e-05.
  bool add_number() {
    const std::size_t sign = source_[call_.end] == '-' ? 1 : 0;
    std::size_t length = length_while([](char c) { return is_digit(c) || c == '.' || c == 'e'; }, sign);
    if (source_[call_.end + length - 1] == 'e') {
      const bool has_sign = call_.end + length < source_.size() &&
                            (source_[call_.end + length] == '-' || source_[call_.end + length] == '+');
      length = length_while(is_digit, length + (has_sign ? 1 : 0));
    }
    return length > sign && add(PythonTokenKind::number, length);
  }

  /// On one line; three quotes are not understood, since what they enclose is no name or type.
  bool add_text(char quote) {
    const std::size_t begin = call_.end + 1;
    for (std::size_t at = begin; at < source_.size() && source_[at] != '\n'; ++at) {
      if (source_[at] == '\\') {
        ++at;
      } else if (source_[at] == quote) {
        call_.tokens.push_back({PythonTokenKind::text, source_.substr(begin, at - begin)});
        call_.end = at + 1;
        return call_.end >= source_.size() || source_[call_.end] != quote;
      }
    }
    return false;
  }

  bool close(char bracket) {
    if (open_.empty()) {
      call_.is_whole = bracket == ')';
      if (call_.is_whole) ++call_.end;
      return call_.is_whole;
    }
    PythonToken& opening = call_.tokens[open_.back()];
    const char expected = opening.text == "(" ? ')' : opening.text == "[" ? ']' : '}';
    if (bracket != expected) return false;
    opening.length = call_.tokens.size() - open_.back() + 1;
    open_.pop_back();
    return add(PythonTokenKind::close, 1);
  }

  std::string_view source_;
  PythonCall call_;
  std::vector<std::size_t> open_;
};
}  // namespace

PythonCall read_python_call(std::string_view source, std::size_t begin) { return PythonCutter(source, begin).cut(); }

std::vector<PythonEntry> python_entries(PythonTokens inside) {
  std::vector<PythonEntry> entries;
  PythonEntry entry;
  std::size_t begin = 0;
  const auto end_at = [&](std::size_t end) {
    entry.value = inside.subspan(begin, end - begin);
    if (!entry.value.empty()) entries.push_back(entry);
    entry = {};
    begin = end + 1;
  };
  for (std::size_t at = 0; at < inside.size(); at += inside[at].length) {
    if (inside[at].is(",")) {
      end_at(at);
    } else if (entry.key.empty() && (inside[at].is(":") || inside[at].is("="))) {
      entry.key = inside.subspan(begin, at - begin);
      begin = at + 1;
    }
  }
  end_at(inside.size());
  return entries;
}

std::optional<std::vector<PythonEntry>> members_of(PythonTokens value) {
  if (value.empty() || value.front().kind != PythonTokenKind::open || value.front().length != value.size()) return {};
  return python_entries(value.subspan(1, value.size() - 2));
}

PythonTokens value_of(std::span<const PythonEntry> entries, std::string_view key) {
  for (const PythonEntry& entry : entries) {
    if (entry.key.size() == 1 && entry.key.front().text == key) return entry.value;
  }
  return {};
}

std::optional<std::string_view> text_of(PythonTokens value) {
  if (value.size() != 1 || value.front().kind != PythonTokenKind::text) return {};
  return value.front().text;
}

std::optional<std::int64_t> count_of(PythonTokens value) {
  if (value.size() != 1 || value.front().kind != PythonTokenKind::number) return {};
  const auto number = whole_number_in(value.front().text);
  return number && *number >= 0 ? number : std::nullopt;
}
}  // namespace kinetoscope::perf_model
