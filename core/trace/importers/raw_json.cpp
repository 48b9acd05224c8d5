#include "core/trace/importers/raw_json.hpp"

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "core/io/json_repair.hpp"
#include "core/trace/diagnostics.hpp"

namespace kinetoscope::importers {
namespace {

/// Valid JSON without the white space between its tokens.
std::string without_space(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  bool is_in_text = false;
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    if (!is_in_text && static_cast<unsigned char>(c) <= ' ') continue;
    out += c;
    if (is_in_text && c == '\\' && at + 1 < json.size()) {
      out += json[++at];
    } else if (c == '"') {
      is_in_text = !is_in_text;
    }
  }
  return out;
}
}  // namespace

RawJsons::Value RawJsons::checked(std::string_view raw) {
  if (nlohmann::json::accept(raw)) return {builder_.intern_json(without_space(raw)), {}};
  Value value;
  if (const std::optional<io::Repair> repair = io::repair_event(raw)) {
    value.id = builder_.intern_json(without_space(repair->text));
    value.defects.merge(repair->diagnostics);
  } else {
    value.defects.add(trace_diagnostics::invalid_number);
  }
  return value;
}
}  // namespace kinetoscope::importers
