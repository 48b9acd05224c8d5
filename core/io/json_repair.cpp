#include "core/io/json_repair.hpp"

#include <charconv>
#include <utility>

#include "core/base/unicode.hpp"
#include "core/io/diagnostics.hpp"
#include "core/io/json_scalar.hpp"
#include "core/io/tolerant_walk.hpp"

namespace kinetoscope::io {
namespace {

constexpr std::string_view utf8_replacement = "\xef\xbf\xbd";
constexpr std::size_t unicode_escape_length = 6;

/// The code unit of the \uXXXX at `position`.
unsigned code_unit(std::string_view text, std::size_t position) noexcept {
  unsigned unit = 0;
  const char* const digits = text.data() + position + 2;
  std::from_chars(digits, digits + 4, unit, 16);
  return unit;
}

bool is_high_surrogate(unsigned unit) noexcept { return unit >= 0xd800 && unit <= 0xdbff; }
bool is_low_surrogate(unsigned unit) noexcept { return unit >= 0xdc00 && unit <= 0xdfff; }

/// Writes the event again, value by value.
class Rewriter {
 public:
  Rewriter(std::size_t size, std::uint64_t offset) : offset_(offset) { repair_.text.reserve(size + size / 8); }

  void open(char bracket) { repair_.text += bracket; }
  void close(char bracket) { repair_.text += bracket; }
  void separate() { repair_.text += ','; }
  void colon() { repair_.text += ':'; }
  void skip_comma(std::size_t position) { found(io_diagnostics::trailing_comma, position); }

  void string(std::size_t position, std::string_view content, const StringEnd& end) {
    if (end.has_invalid_escape) found(io_diagnostics::invalid_escape_repaired, position);
    if (end.has_unescaped_quotes) found(io_diagnostics::unescaped_quotes, position);
    repair_.text += '"';
    for (std::size_t i = 0; i < content.size();) {
      if (content[i] == '\\' && !end.has_invalid_escape) {
        escape(position, content, i);
      } else {
        character(position, content, i);
      }
    }
    repair_.text += '"';
  }

  bool scalar(std::size_t position, std::string_view word) {
    const Scalar scalar = read_scalar(word);
    if (scalar.kind == Scalar::Kind::nonfinite) found(io_diagnostics::nonfinite_number, position);
    if (scalar.kind == Scalar::Kind::repaired || scalar.kind == Scalar::Kind::unknown) {
      found(io_diagnostics::invalid_literal, position);
    }
    repair_.text += scalar.text;
    return true;
  }

  Repair take() && { return std::move(repair_); }

 private:
  void found(const DiagnosticKind& kind, std::size_t position) { repair_.diagnostics.add(kind, offset_ + position); }

  /// A valid escape, kept as it is; half of a surrogate pair is no character.
  void escape(std::size_t position, std::string_view content, std::size_t& i) {
    std::size_t length = escape_length(content, i);
    if (length == unicode_escape_length) {
      const unsigned unit = code_unit(content, i);
      const bool is_pair = is_high_surrogate(unit) && content.substr(i + length).starts_with('\\') &&
                           escape_length(content, i + length) == unicode_escape_length &&
                           is_low_surrogate(code_unit(content, i + length));
      if (is_pair) {
        length *= 2;
      } else if (is_high_surrogate(unit) || is_low_surrogate(unit)) {
        found(io_diagnostics::invalid_utf8_replaced, position + i);
        repair_.text += utf8_replacement;
        i += length;
        return;
      }
    }
    repair_.text += content.substr(i, length);
    i += length;
  }

  void character(std::size_t position, std::string_view content, std::size_t& i) {
    const std::size_t start = i;
    const auto byte = static_cast<unsigned char>(content[start]);
    const bool is_replacement = next_character(content, i) == replacement_character;
    const std::string_view bytes = content.substr(start, i - start);
    if (byte < 0x20) {
      found(io_diagnostics::raw_control_characters, position + start);
      control(byte);
    } else if (byte == '"' || byte == '\\') {
      repair_.text += '\\';
      repair_.text += static_cast<char>(byte);
    } else if (is_replacement && bytes != utf8_replacement) {
      found(io_diagnostics::invalid_utf8_replaced, position + start);
      repair_.text += utf8_replacement;
    } else {
      repair_.text += bytes;
    }
  }

  void control(unsigned char byte) {
    constexpr std::string_view digits = "0123456789abcdef";
    repair_.text += "\\u00";
    repair_.text += digits[byte >> 4];
    repair_.text += digits[byte & 0xf];
  }

  std::uint64_t offset_;
  Repair repair_;
};
}  // namespace

std::optional<Repair> repair_event(std::string_view event, std::uint64_t offset) {
  Rewriter rewriter(event.size(), offset);
  const Cut cut = TolerantWalk(event, rewriter).walk();
  if (cut.result != CutResult::complete || skip_white_space(event, cut.length) != event.size()) return {};
  return std::move(rewriter).take();
}
}  // namespace kinetoscope::io
