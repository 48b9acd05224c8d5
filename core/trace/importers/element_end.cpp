#include "core/trace/importers/element_end.hpp"

#include "core/io/event_cutter.hpp"

namespace kinetoscope::importers {
std::size_t length_of_element(std::string_view text) {
  if (text.front() == '{' || text.front() == '[') {
    const io::Cut cut = io::cut_event(text);
    return cut.result == io::CutResult::complete ? cut.length : 0;
  }
  const std::size_t end = text.find_first_of(",]} \n\r\t");
  return end == std::string_view::npos ? text.size() : end;
}
}  // namespace kinetoscope::importers
