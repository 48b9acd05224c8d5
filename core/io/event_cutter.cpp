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

std::optional<std::size_t> event_length(std::string_view text) {
  const Cut cut = cut_event(text);
  if (cut.result != CutResult::complete) return {};
  return cut.length;
}
}  // namespace kinetoscope::io
