#include "core/perf_model/element_types.hpp"

#include <set>
#include <string>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "embedded/element_types.hpp"
#include "tests/support/schema_check.hpp"

namespace kinetoscope::perf_model {

TEST_CASE("element types: the table fits its schema, and no name or number stands in it twice") {
  CHECK(schema_problems("schemas/data/element_types.schema.json", embedded::element_types()).empty());
  std::set<std::string> names;
  std::set<int> numbers;
  const nlohmann::json document = nlohmann::json::parse(embedded::element_types());
  for (const nlohmann::json& entry : document.at("types")) {
    for (const nlohmann::json& name : entry.at("names")) CHECK(names.insert(name.get<std::string>()).second);
    for (const nlohmann::json& number : entry.value("scalar_types", nlohmann::json::array())) {
      CHECK(numbers.insert(number.get<int>()).second);
    }
  }
}

TEST_CASE("element types: library, compiler and shape spellings name the same type") {
  REQUIRE(find_element_type("c10::BFloat16") != nullptr);
  CHECK(find_element_type("c10::BFloat16")->bytes == 2);
  CHECK(find_element_type("bfloat16") == find_element_type("c10::BFloat16"));
  CHECK(find_element_type("float")->precision == Precision::fp32);
  CHECK(find_element_type("long int")->bytes == 8);
  CHECK_FALSE(find_element_type("bool")->precision.has_value());
  CHECK(find_element_type("c10::Float8_e5m2")->precision == Precision::fp8);
  CHECK(find_element_type("c10::Float4_e2m1fn_x2")->values_per_byte == 2);
  CHECK(find_element_type("") == nullptr);
  CHECK(find_element_type("TensorList") == nullptr);
  CHECK(find_scalar_type(15)->precision == Precision::bf16);  // torch.bfloat16
  CHECK(find_scalar_type(99) == nullptr);
}
}  // namespace kinetoscope::perf_model
