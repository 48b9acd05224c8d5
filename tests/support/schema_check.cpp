#include "tests/support/schema_check.hpp"

#include <fstream>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

namespace kinetoscope {

using JsonAdapter = valijson::adapters::NlohmannJsonAdapter;

struct SchemaCheck::Schema {
  valijson::Schema rules;
};

SchemaCheck::SchemaCheck(const std::string& schema_path) : schema_(std::make_unique<Schema>()) {
  std::ifstream file(schema_path);
  REQUIRE(file.good());
  const nlohmann::json document = nlohmann::json::parse(file);
  valijson::SchemaParser().populateSchema(JsonAdapter(document), schema_->rules);
}

SchemaCheck::~SchemaCheck() = default;

std::string SchemaCheck::problems(std::string_view json) const {
  const nlohmann::json document = nlohmann::json::parse(json);
  valijson::Validator validator;
  valijson::ValidationResults results;
  if (validator.validate(schema_->rules, JsonAdapter(document), &results)) return "";
  std::string text = "refused";
  for (valijson::ValidationResults::Error error; results.popError(error);) {
    text += "\n";
    for (const std::string& place : error.context) text += place;
    text += ": " + error.description;
  }
  return text;
}
}  // namespace kinetoscope
