#include "core/trace/importers/raw_text.hpp"

#include <optional>
#include <string>

#include "core/io/json_escapes.hpp"

namespace kinetoscope::importers {
RawTexts::Name RawTexts::unescaped(std::string_view raw) {
  if (raw.find('\\') == std::string_view::npos) return {builder_.intern(raw), false};
  const std::optional<std::string> text = io::unescape(raw);
  if (text) return {builder_.intern(*text), false};
  return {builder_.intern(raw), true};
}
}  // namespace kinetoscope::importers
