#pragma once

// Whether a JSON document fits a schema of schemas/: data files that are built into the program, and what it prints.

#include <fstream>
#include <string>
#include <string_view>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

namespace kinetoscope {

/// What does not fit, empty when all does. `schema_path` from the repository's root, where tests run.
[[nodiscard]] inline std::string schema_problems(const std::string& schema_path, std::string_view json) {
  using Adapter = valijson::adapters::NlohmannJsonAdapter;
  std::ifstream file(schema_path);
  REQUIRE(file.good());
  const nlohmann::json schema_document = nlohmann::json::parse(file);
  valijson::Schema schema;
  valijson::SchemaParser().populateSchema(Adapter(schema_document), schema);
  const nlohmann::json document = nlohmann::json::parse(json);
  valijson::Validator validator;
  valijson::ValidationResults results;
  if (validator.validate(schema, Adapter(document), &results)) return "";
  std::string text = "refused";
  for (valijson::ValidationResults::Error error; results.popError(error);) {
    text += "\n";
    for (const std::string& place : error.context) text += place;
    text += ": " + error.description;
  }
  return text;
}
}  // namespace kinetoscope
