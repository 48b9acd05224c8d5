#include "tools/schema_validator.hpp"

#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

namespace kinetoscope::tools {
namespace {

using Adapter = valijson::adapters::NlohmannJsonAdapter;

/// The library reads JSON with sorted keys.
nlohmann::json sorted(const Json& value) {
  return nlohmann::json::parse(value.dump(-1, ' ', false, Json::error_handler_t::replace));
}
}  // namespace

std::string schema_problem(const Json& schema, const Json& value) {
  valijson::Schema rules;
  const nlohmann::json schema_document = sorted(schema);
  valijson::SchemaParser().populateSchema(Adapter(schema_document), rules);
  const nlohmann::json document = sorted(value);
  valijson::Validator validator;
  valijson::ValidationResults results;
  if (validator.validate(rules, Adapter(document), &results)) return "";
  valijson::ValidationResults::Error error;
  if (!results.popError(error)) return "it does not fit";
  std::string place;
  for (std::size_t depth = 1; depth < error.context.size(); ++depth) place += error.context[depth];
  return place.empty() ? error.description : place + ": " + error.description;
}
}  // namespace kinetoscope::tools
