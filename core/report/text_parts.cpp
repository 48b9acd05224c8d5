#include "core/report/text_parts.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/format.hpp"
#include "core/report/text_table.hpp"

namespace kinetoscope::report {

std::string number(std::uint64_t count) {
  return with_separators(static_cast<std::int64_t>(std::min<std::uint64_t>(count, INT64_MAX)));
}

std::string heading(std::string_view text, bool is_coloured) {
  return "\n" + painted(text, Colour::strong, is_coloured) + "\n";
}

std::string diagnostics_text(const Diagnostics& diagnostics, bool is_coloured) {
  TextTable table(is_coloured);
  for (const Diagnostic& found : diagnostics.sorted()) {
    const Colour colour = found.severity == Severity::note ? Colour::plain : Colour::doubtful;
    table.add({{found.code, colour},
               {number(found.count), Colour::plain, true},
               {found.first_offset ? fmt::format("first at byte {}", *found.first_offset) : "", Colour::faint},
               {found.message}});
  }
  return table.empty() ? "" : heading("What was found in the input", is_coloured) + table.render();
}
}  // namespace kinetoscope::report
