#include "server/mcp/caller.hpp"

namespace kinetoscope::mcp {
namespace {

/// An empty `elicitation` is one that can show forms: so it was before there were other modes.
const Json& with_default_mode(const std::string& key, const Json& declared) {
  static const Json forms = {{"form", Json::object()}};
  return key == "elicitation" && declared.is_object() && declared.empty() ? forms : declared;
}
}  // namespace

bool declares(const Json& capabilities, const Json& required) {
  if (!required.is_object()) return true;
  for (const auto& [key, wanted] : required.items()) {
    const Json* const declared = member(capabilities, key);
    if (declared == nullptr || !declares(with_default_mode(key, *declared), wanted)) return false;
  }
  return true;
}
}  // namespace kinetoscope::mcp
