#include "core/trace/importers/raw_text.hpp"

#include <optional>
#include <string>

#include "core/io/json_escapes.hpp"

namespace kinetoscope::importers {
RawTexts::Name RawTexts::unescaped(std::string_view raw) {
  if (raw.find('\\') == std::string_view::npos) return {.id = builder_.intern(raw)};
  const std::optional<io::Unescaped> unescaped = io::unescape(raw);
  if (unescaped) return {.id = builder_.intern(unescaped->text), .replaced = unescaped->replaced};
  return {.id = builder_.intern(raw), .has_invalid_escape = true};
}
}  // namespace kinetoscope::importers
