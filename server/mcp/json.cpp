#include "server/mcp/json.hpp"

namespace kinetoscope::mcp {

std::string compact(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

const Json* member(const Json& object, std::string_view key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

const std::string* text_member(const Json& object, std::string_view key) {
  const Json* const found = member(object, key);
  return found == nullptr ? nullptr : found->get_ptr<const std::string*>();
}

const Json& object_member(const Json& object, std::string_view key) {
  static const Json empty = Json::object();
  const Json* const found = member(object, key);
  return found != nullptr && found->is_object() ? *found : empty;
}
}  // namespace kinetoscope::mcp
