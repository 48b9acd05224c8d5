#include "core/io/event_cutter.hpp"

#include "core/io/tolerant_walk.hpp"

namespace kinetoscope::io {
namespace {

/// Only the way matters.
struct NoVisitor {
  void open(char) {}
  void close(char) {}
  void separate() {}
  void skip_comma(std::size_t) {}
  void colon() {}
  void string(std::size_t, std::string_view, const StringEnd&) {}
  bool scalar(std::size_t, std::string_view) { return true; }
};
}  // namespace

Cut cut_event(std::string_view text) {
  NoVisitor visitor;
  return TolerantWalk(text, visitor).walk();
}

Cut cut_by_brackets(std::string_view text) {
  std::size_t depth = 0;
  bool is_in_text = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (is_in_text) {
      if (c == '\\') ++at;
      is_in_text = c != '"';
    } else if (c == '"') {
      is_in_text = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if ((c == '}' || c == ']') && --depth == 0) {
      return {CutResult::complete, at + 1};
    }
  }
  return {CutResult::broken, 0};
}

std::optional<std::size_t> event_length(std::string_view text) {
  const Cut cut = cut_event(text);
  if (cut.result != CutResult::complete) return {};
  return cut.length;
}
}  // namespace kinetoscope::io
