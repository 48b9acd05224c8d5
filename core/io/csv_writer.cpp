#include "core/io/csv_writer.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "core/base/python_literal.hpp"
#include "core/base/unicode.hpp"

namespace kinetoscope::io {
namespace {

constexpr std::string_view quoted_for = ",\"\n\r";

bool is_ascii(std::string_view text) noexcept {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  for (const char character : text) {
    if (character == '"') out += '"';
    out += character;
  }
  out += '"';
}

void append_valid(std::string& out, std::string_view text) {
  if (text.find_first_of(quoted_for) == std::string_view::npos) {
    out += text;
  } else {
    append_quoted(out, text);
  }
}

struct FieldWriter {
  std::string& out;
  void operator()(std::monostate) const {}
  void operator()(bool truth) const { out += truth ? "True" : "False"; }
  void operator()(std::int64_t number) const { fmt::format_to(std::back_inserter(out), "{}", number); }
  void operator()(double number) const { out += python_number(number); }
  void operator()(const std::string& text) const { append_csv_field(out, text); }
};

/// Ends the row that began at `begin`.
void end_row(std::string& out, std::size_t begin, std::size_t fields) {
  if (fields == 1 && out.size() == begin) out += "\"\"";
  out += '\n';
}
}  // namespace

void append_csv_field(std::string& out, std::string_view text) {
  if (is_ascii(text)) {
    append_valid(out, text);
  } else {
    append_valid(out, valid_utf8(text).text);
  }
}

void append_csv_row(std::string& out, std::span<const Cell> cells) {
  const std::size_t begin = out.size();
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) out += ',';
    std::visit(FieldWriter{out}, cells[i]);
  }
  end_row(out, begin, cells.size());
}

void append_csv_row(std::string& out, std::span<const std::string_view> headings) {
  const std::size_t begin = out.size();
  for (std::size_t i = 0; i < headings.size(); ++i) {
    if (i > 0) out += ',';
    append_csv_field(out, headings[i]);
  }
  end_row(out, begin, headings.size());
}
}  // namespace kinetoscope::io
