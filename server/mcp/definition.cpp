#include "server/mcp/definition.hpp"

#include <algorithm>

namespace kinetoscope::mcp {
namespace {

template <typename Named>
const Named* named(const std::vector<Named>& all, std::string_view name) {
  const auto found = std::find_if(all.begin(), all.end(), [name](const Named& one) { return one.name() == name; });
  return found == all.end() ? nullptr : &*found;
}
}  // namespace

const Tool* Definition::tool(std::string_view name) const { return named(tools, name); }
const Prompt* Definition::prompt(std::string_view name) const { return named(prompts, name); }
}  // namespace kinetoscope::mcp
