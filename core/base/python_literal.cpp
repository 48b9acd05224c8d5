#include "core/base/python_literal.hpp"

#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kinetoscope {
namespace {

constexpr unsigned first_printable = 0x20;
constexpr unsigned delete_character = 0x7f;

void append_character(std::string& out, char character, char quote) {
  const auto byte = static_cast<unsigned char>(character);
  switch (character) {
    case '\\': out += "\\\\"; return;
    case '\n': out += "\\n"; return;
    case '\t': out += "\\t"; return;
    case '\r': out += "\\r"; return;
    default: break;
  }
  if (character == quote) out += '\\';
  if (byte < first_printable || byte == delete_character) {
    out += fmt::format("\\x{:02x}", byte);
  } else {
    out += character;
  }
}

/// Digits and a sign alone: an integer, which Python has of any size.
bool is_integer(std::string_view written) { return written.find_first_not_of("-0123456789") == std::string_view::npos; }

/// Writes the literal while a JSON text is read; depth costs a byte a level.
class TupleWriter final : public nlohmann::json_sax<nlohmann::json> {
 public:
  [[nodiscard]] std::string& text() noexcept { return out_; }

  bool null() override { return value("None"); }
  bool boolean(bool truth) override { return value(truth ? "True" : "False"); }
  bool number_integer(number_integer_t number) override { return value(fmt::to_string(number)); }
  bool number_unsigned(number_unsigned_t number) override { return value(fmt::to_string(number)); }
  bool number_float(number_float_t number, const string_t& written) override {
    return value(is_integer(written) ? written : python_number(number));
  }
  bool string(string_t& text) override { return value(python_string(text)); }
  bool binary(binary_t& bytes) override { return bytes.empty(); }
  bool start_object(std::size_t) override { return open('{'); }
  bool key(string_t& text) override {
    separate();
    out_ += python_string(text) + ": ";
    follows_key_ = true;
    return true;
  }
  bool end_object() override { return close("}"); }
  bool start_array(std::size_t) override { return open('('); }
  bool end_array() override { return close(counts_.back() == 1 ? ",)" : ")"); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

 private:
  /// A comma between members; counts the one that follows.
  void separate() {
    if (follows_key_) {
      follows_key_ = false;
      return;
    }
    if (counts_.empty()) return;
    if (counts_.back()++ > 0) out_ += ", ";
  }
  bool value(std::string_view text) {
    separate();
    out_ += text;
    return true;
  }
  bool open(char bracket) {
    separate();
    out_ += bracket;
    counts_.push_back(0);
    return true;
  }
  bool close(std::string_view bracket) {
    out_ += bracket;
    counts_.pop_back();
    return true;
  }

  std::string out_;
  std::vector<std::size_t> counts_;  // members so far, a level each
  bool follows_key_ = false;
};
}  // namespace

std::string python_number(double value) {
  if (!std::isfinite(value)) return "None";
  std::string text = fmt::to_string(value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string python_string(std::string_view text) {
  const bool has_single = text.find('\'') != std::string_view::npos;
  const char quote = has_single && text.find('"') == std::string_view::npos ? '"' : '\'';
  std::string out(1, quote);
  out.reserve(text.size() + 2);
  for (const char character : text) append_character(out, character, quote);
  out += quote;
  return out;
}

std::string python_tuple(std::string_view json) {
  TupleWriter writer;
  if (nlohmann::json::sax_parse(json, &writer)) return std::move(writer.text());
  return python_string(json);
}
}  // namespace kinetoscope
