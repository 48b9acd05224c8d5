#include "core/names/element_sizes.hpp"

#include <functional>
#include <map>
#include <string>

#include <nlohmann/json.hpp>

#include "embedded/element_sizes.hpp"
#include "core/base/error.hpp"

namespace kinetoscope::names {
namespace {

using Sizes = std::map<std::string, std::int64_t, std::less<>>;

Sizes read_sizes() {
  try {
    return nlohmann::json::parse(embedded::element_sizes()).at("bytes").get<Sizes>();
  } catch (const nlohmann::json::exception& problem) {
    throw Error({.code = ErrorCode::data_file_invalid,
                 .input = "core/names/element_sizes.json",
                 .argument = {},
                 .problem = problem.what()});
  }
}
}  // namespace

std::optional<std::int64_t> element_bytes(std::string_view type_name) {
  static const Sizes sizes = read_sizes();
  const auto found = sizes.find(type_name);
  if (found == sizes.end()) return {};
  return found->second;
}
}  // namespace kinetoscope::names
