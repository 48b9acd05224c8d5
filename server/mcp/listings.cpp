#include "server/mcp/listings.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "server/mcp/protocol_error.hpp"

namespace kinetoscope::mcp {
namespace {

constexpr std::size_t rows_a_page = 1000;  // in practice all of them: some clients read one page only
constexpr std::string_view cursor_start = "from-";

Json with_list_changed(bool changes) {
  Json capability = Json::object();
  if (changes) capability["listChanged"] = true;
  return capability;
}

std::size_t first_row(const Json& params, std::size_t rows) {
  const Json* const cursor = member(params, "cursor");
  if (cursor == nullptr) return 0;
  const auto refuse = [] { return ProtocolError(code::invalid_params, "unknown cursor: use nextCursor as it came"); };
  const std::string* const text = cursor->get_ptr<const std::string*>();
  if (text == nullptr || !text->starts_with(cursor_start)) throw refuse();
  std::size_t row = 0;
  const char* const end = text->data() + text->size();
  const auto [stopped, failure] = std::from_chars(text->data() + cursor_start.size(), end, row);
  if (failure != std::errc() || stopped != end || row > rows) throw refuse();
  return row;
}

template <typename Named>
Json declarations(const std::vector<Named>& all) {
  Json rows = Json::array();
  for (const Named& one : all) rows.push_back(one.declaration);
  return rows;
}
}  // namespace

Json server_capabilities(const Definition& definition, Revision revision) {
  Json capabilities = Json::object();
  if (!definition.tools.empty()) capabilities["tools"] = with_list_changed(definition.tools_change);
  if (!definition.prompts.empty()) capabilities["prompts"] = with_list_changed(definition.prompts_change);
  if (definition.has_resources()) {
    capabilities["resources"] = with_list_changed(definition.resources_change);
    if (definition.has_subscriptions) capabilities["resources"]["subscribe"] = true;
  }
  if (definition.complete && revision > Revision::v2024_11_05) capabilities["completions"] = Json::object();
  if (definition.has_logging) capabilities["logging"] = Json::object();
  if (definition.has_tasks && is_stateless(revision)) {
    capabilities["extensions"] = {{std::string(tasks_extension), Json::object()}};
  }
  return capabilities;
}

Json discover_result(const Definition& definition) {
  Json result = {{"supportedVersions", supported_versions()},
                 {"capabilities", server_capabilities(definition, stateless)}};
  if (!definition.instructions.empty()) result["instructions"] = definition.instructions;
  return result;
}

Json initialize_result(const Definition& definition, Revision agreed) {
  Json result = {{"protocolVersion", spelling(agreed)},
                 {"capabilities", server_capabilities(definition, agreed)},
                 {"serverInfo", definition.info}};
  if (!definition.instructions.empty()) result["instructions"] = definition.instructions;
  return result;
}

Json tools_list(const Definition& definition) { return declarations(definition.tools); }
Json prompts_list(const Definition& definition) { return declarations(definition.prompts); }

Json page_of(const char* name, const Json& all, const Json& params) {
  const std::size_t first = first_row(params, all.size());
  const std::size_t end = std::min(all.size(), first + rows_a_page);
  Json rows = Json::array();
  for (std::size_t row = first; row < end; ++row) rows.push_back(all[row]);
  Json result = {{name, std::move(rows)}};
  if (end < all.size()) result["nextCursor"] = std::string(cursor_start) + std::to_string(end);
  return result;
}
}  // namespace kinetoscope::mcp
