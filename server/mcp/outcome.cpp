#include "server/mcp/outcome.hpp"

#include <utility>

namespace kinetoscope::mcp {

Json text_result(std::string_view text) { return {{"content", Json::array({{{"type", "text"}, {"text", text}}})}}; }

Json failed_result(std::string_view text) {
  Json result = text_result(text);
  result["isError"] = true;
  return result;
}

InputRequest elicitation(std::string key, std::string_view message, Json schema) {
  return {std::move(key), "elicitation/create", {{"message", message}, {"requestedSchema", std::move(schema)}}};
}
}  // namespace kinetoscope::mcp
