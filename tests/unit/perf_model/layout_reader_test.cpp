#include "core/perf_model/layout_reader.hpp"

#include <algorithm>
#include <string>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "core/perf_model/families/gemm.hpp"

namespace kinetoscope::perf_model {
namespace {

std::string problem_of(const char* text) {
  try {
    static_cast<void>(read_layout(gemm_family, nlohmann::json::parse(text)));
  } catch (const LayoutProblem& problem) {
    return problem.what();
  }
  return {};
}
}  // namespace

TEST_CASE("layouts: positions, several positions, words and numbers are read") {
  const Layout layout = read_layout(
      gemm_family, nlohmann::json::parse(R"({"a": 1, "b": 2, "bias": [4, 2], "order_b": "nk", "packed_a": 2})"));
  REQUIRE(layout.size() == 5);
  CHECK(layout[0].positions == std::vector<std::size_t>{1});
  CHECK(layout[2].positions == std::vector<std::size_t>{4, 2});
  CHECK(layout[3].word == "nk");
  CHECK(layout[4].number == 2);
}

TEST_CASE("layouts: what does not fit names the field and the reason") {
  CHECK(problem_of(R"({"a": 0})") == "field \"b\": is missing");
  CHECK(problem_of(R"({"a": 0, "b": 1, "left": 2})") == "field \"left\": the family gemm has no such field");
  CHECK(problem_of(R"({"a": -1, "b": 1})") == "field \"a\": -1 is no position of an argument, 0 to 255");
  CHECK(problem_of(R"({"a": "0", "b": 1})") == "field \"a\": \"0\" is no position of an argument, 0 to 255");
  CHECK(problem_of(R"({"a": [], "b": 1})") == "field \"a\": [] is no position of an argument, 0 to 255");
  CHECK(problem_of(R"({"a": 0, "b": 1, "order_b": "mk"})") == "field \"order_b\": \"mk\" is none of: kn nk");
  CHECK(problem_of(R"({"a": 0, "b": 1, "packed_a": "2"})") == "field \"packed_a\": \"2\" is no number");
  CHECK(problem_of("[]") == "field \"arguments\": is no object");
}

TEST_CASE("families: names are unique, fields too, and choices have words") {
  for (const ModelFamily* const family : model_families()) {
    CAPTURE(family->name);
    CHECK(find_model_family(family->name) == family);
    for (const Field& field : family->fields) {
      CAPTURE(field.name);
      CHECK((field.kind == FieldKind::choice) == !field.words.empty());
      CHECK_FALSE(field.meaning.empty());
      CHECK(std::count_if(family->fields.begin(), family->fields.end(),
                          [&](const Field& other) { return other.name == field.name; }) == 1);
    }
  }
}
}  // namespace kinetoscope::perf_model
