#pragma once

// The grammar of damaged JSON: one walk over a value, which tells a visitor what it meets. Commas too many are passed
// over; strings end by the tolerant rule; a bare word is one token whatever it spells. A missing brace, bracket, colon,
// comma or quote is beyond repair. Cutter and repairer differ in the visitor only. Cost: one pass without recursion,
// one bit a level; nesting is limited to 1,000 levels.

#include <cstddef>
#include <string_view>
#include <vector>

#include "core/io/event_cutter.hpp"
#include "core/io/tolerant_string.hpp"

namespace kinetoscope::io {

template <typename Visitor>
concept JsonVisitor = requires(Visitor visitor, std::size_t position, std::string_view token, StringEnd string,
                               char bracket) {
  visitor.open(bracket);
  visitor.close(bracket);
  visitor.separate();                       // a comma between two elements or members
  visitor.skip_comma(position);             // a comma too many
  visitor.colon();                          // between key and value
  visitor.string(position, token, string);  // the text between the quotes
  !visitor.scalar(position, token);         // false: beyond repair
};

inline constexpr std::size_t most_nesting_levels = 1000;

template <JsonVisitor Visitor>
class TolerantWalk {
 public:
  TolerantWalk(std::string_view text, Visitor& visitor) : text_(text), visitor_(visitor) {}

  /// Walks the value at the front of the text, an object or array.
  [[nodiscard]] Cut walk() {
    if (text_.empty()) return {CutResult::incomplete, 0};
    if (text_.front() != '{' && text_.front() != '[') return {CutResult::broken, 0};
    open();
    while (result_ == CutResult::complete && !is_object_.empty()) {
      position_ = skip_white_space(text_, position_);
      if (position_ == text_.size()) {
        result_ = CutResult::incomplete;
      } else {
        step(text_[position_]);
      }
    }
    return {result_, position_};
  }

 private:
  enum class Expected : unsigned char { first, next, comma, value };

  void step(char c) {
    if (expected_ == Expected::value) return value(c, StringPlace::member_value);
    if (c == (is_object_.back() ? '}' : ']')) return close(c);
    if (expected_ == Expected::comma) return c == ',' ? comma() : fail();
    if (c == ',') return skip_comma();
    if (has_members_.back()) visitor_.separate();
    has_members_.back() = true;
    if (is_object_.back()) return key(c);
    value(c, StringPlace::element);
  }

  void open() {
    if (is_object_.size() == most_nesting_levels) return fail();
    visitor_.open(text_[position_]);
    is_object_.push_back(text_[position_] == '{');
    has_members_.push_back(false);
    expected_ = Expected::first;
    ++position_;
  }

  void close(char bracket) {
    if (expected_ == Expected::next) visitor_.skip_comma(comma_position_);
    visitor_.close(bracket);
    is_object_.pop_back();
    has_members_.pop_back();
    expected_ = Expected::comma;
    ++position_;
  }

  void comma() {
    comma_position_ = position_++;
    expected_ = Expected::next;
  }

  void skip_comma() { visitor_.skip_comma(position_++); }

  void key(char c) {
    if (c != '"' || !string(StringPlace::key)) return fail();
    position_ = skip_white_space(text_, position_) + 1;  // the rule ends a key at a colon only
    visitor_.colon();
    expected_ = Expected::value;
  }

  void value(char c, StringPlace place) {
    expected_ = Expected::comma;
    if (c == '{' || c == '[') return open();
    if (c != '"') return scalar();
    if (!string(place)) fail();
  }

  /// False when the string does not end.
  bool string(StringPlace place) {
    const StringEnd end = find_string_end(text_, position_, place);
    if (end.result != CutResult::complete) {
      result_ = end.result;
      position_ = end.position;
      return false;
    }
    visitor_.string(position_ + 1, text_.substr(position_ + 1, end.position - position_ - 2), end);
    position_ = end.position;
    return true;
  }

  void scalar() {
    std::size_t end = position_;
    while (end < text_.size() && is_scalar_character(text_[end])) ++end;
    if (end == text_.size()) {
      result_ = CutResult::incomplete;
    } else if (end == position_ || !visitor_.scalar(position_, text_.substr(position_, end - position_))) {
      return fail();
    }
    position_ = end;
  }

  static bool is_scalar_character(char c) noexcept {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           std::string_view("+-._#()").find(c) != std::string_view::npos;
  }

  void fail() noexcept {
    if (result_ == CutResult::complete) result_ = CutResult::broken;
  }

  std::string_view text_;
  Visitor& visitor_;
  std::size_t position_ = 0;
  std::size_t comma_position_ = 0;
  Expected expected_ = Expected::first;
  CutResult result_ = CutResult::complete;
  std::vector<bool> is_object_;
  std::vector<bool> has_members_;
};
}  // namespace kinetoscope::io
