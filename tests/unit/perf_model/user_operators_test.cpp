#include "core/perf_model/user_operators.hpp"

#include <fstream>
#include <sstream>

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "core/perf_model/models.hpp"
#include "core/perf_model/operator_set.hpp"
#include "tests/support/model_calls.hpp"
#include "tests/support/schema_check.hpp"
#include "tests/unit/io/scratch_folder.hpp"

namespace kinetoscope::perf_model {
namespace {

constexpr const char* user_schema = "schemas/data/user_operators.schema.json";
constexpr const char* user_example = "examples/operators.json";

/// What the error of a file "mine.json" says: field and problem; "accepted" when there is none.
std::string user_refusal(const std::string& json) {
  try {
    static_cast<void>(read_user_operators(json, "mine.json"));
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::data_file_invalid);
    CHECK(error.failure().input == "mine.json");
    return error.failure().argument + ": " + error.failure().problem;
  }
  return "accepted";
}

std::string file_with(const std::string& fields) { return R"({"families": [{)" + fields + "}]}"; }

constexpr const char* one_name = R"("operators": ["mine::op"])";
}  // namespace

TEST_CASE("user operators: what does not fit is refused by file, field and reason") {
  const std::string good = std::string(R"("category": "GEMM", )") + one_name;
  CHECK(user_refusal(file_with(good)) == "accepted");
  CHECK(user_refusal("").starts_with(": it is not JSON: "));
  CHECK(user_refusal("{").starts_with(": it is not JSON: "));
  CHECK(user_refusal("[]") == ": it is not an object");
  CHECK(user_refusal("{}") == "families: it is missing");
  CHECK(user_refusal(R"({"families": []})") == "families: it is no list with entries");
  CHECK(user_refusal(R"({"families": {}})") == "families: it is no list with entries");
  CHECK(user_refusal(R"({"family": []})") == "family: there is no such field");
  CHECK(user_refusal(R"({"families": [7]})") == "families[0]: it is not an object");
  CHECK(user_refusal(file_with(one_name)) == "families[0].category: it is missing");
  CHECK(user_refusal(file_with(good + R"(, "categry": "x")")) == "families[0].categry: there is no such field");
  CHECK(user_refusal(file_with(std::string(R"("category": "", )") + one_name)) ==
        "families[0].category: it is not a text with a name");
  CHECK(user_refusal(file_with(std::string(R"("category": ["GEMM"], )") + one_name)) ==
        "families[0].category: it is not a text with a name");
  CHECK(user_refusal(file_with(R"("category": ")" + std::string(101, 'c') + R"(", )" + one_name)) ==
        "families[0].category: it is longer than 100 bytes");
  CHECK(user_refusal(file_with(good + R"(, "sheet": "GEM")")) == "families[0].sheet: there is no such sheet");
  CHECK(user_refusal(file_with(good + R"(, "model": "gem")")) ==
        "families[0].model: there is no such family of models");
  CHECK(user_refusal(file_with(good + R"(, "model": 7)")) == "families[0].model: it is not a text with a name");
  CHECK(user_refusal(file_with(good + R"(, "arguments": {"a": 0})")) ==
        "families[0].model: it is missing, and arguments are for one");
  CHECK(user_refusal(file_with(R"("category": "GEMM")")) == "families[0].operators: it is missing");
  CHECK(user_refusal(file_with(R"("category": "GEMM", "operators": [])")) ==
        "families[0].operators: it is no list with names");
  CHECK(user_refusal(file_with(R"("category": "GEMM", "operators": "mine::op")")) ==
        "families[0].operators: it is no list with names");
  CHECK(user_refusal(file_with(R"("category": "GEMM", "operators": ["mine::op", 5])")) ==
        "families[0].operators[1]: it is not a text with a name");
  CHECK(user_refusal(file_with(R"("category": "GEMM", "operators": ["mine::op", "mine::op"])")) ==
        "families[0].operators[1]: it stands in the file twice");
}

TEST_CASE("user operators: arguments that do not fit the family are refused by its field") {
  const auto with = [](const std::string& arguments) {
    return user_refusal(
        file_with(std::string(R"("category": "GEMM", "model": "gemm", "arguments": )") + arguments + ", " + one_name));
  };
  CHECK(with(R"({"a": 0, "b": 1})") == "accepted");
  CHECK(with("{}") == "families[0].arguments: field \"a\": is missing");
  CHECK(with("[0, 1]") == "families[0].arguments: it is not an object");
  CHECK(with(R"({"a": 0, "b": 1, "q": 2})") == "families[0].arguments: field \"q\": the family gemm has no such field");
  CHECK(with(R"({"a": 0, "b": -1})") ==
        "families[0].arguments: field \"b\": -1 is no position of an argument, 0 to 255");
  CHECK(with(R"({"a": 0, "b": 1, "order_b": "kk"})") ==
        "families[0].arguments: field \"order_b\": \"kk\" is none of: kn nk");
}

TEST_CASE("user operators: arguments are flat, however deep a file nests them") {
  const auto nested = [](const std::string& value) {
    return user_refusal(
        file_with(std::string(R"("category": "GEMM", "model": "gemm", "arguments": )") + value + ", " + one_name));
  };
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  CHECK(nested(R"({"a": 0, "b": )" + deep + "}") == "families[0].arguments: field \"b\": it holds a list in a list");
  CHECK(nested(R"({"a": 0, "b": {"c": 1}})") == "families[0].arguments: field \"b\": it is an object");
  CHECK(nested(deep) == "families[0].arguments: it is not an object");
}

TEST_CASE("user operators: a file has no more new categories than results have room for") {
  std::string families;
  for (std::size_t i = 0; i <= most_new_categories; ++i) {
    families += (i == 0 ? "" : ", ") + std::string(R"({"category": "new )") + std::to_string(i) +
                R"(", "operators": ["op )" + std::to_string(i) + R"("]})";
    const std::string said = user_refusal(R"({"families": [)" + families + "]}");
    if (i < most_new_categories) {
      CHECK(said == "accepted");
    } else {
      CHECK(said == "families[64].category: the file has more than 64 new categories");
    }
  }
}

TEST_CASE("user operators: a nested value and a file that is too long are refused without being followed") {
  const std::string deep(100'000, '[');
  CHECK(user_refusal(file_with(R"("category": )" + deep + std::string(100'000, ']') + ", " + one_name)) ==
        "families[0].category: it is not a text with a name");
  const io::ScratchFolder folder;
  const std::string path = folder.file("long.json", std::string(most_user_operator_bytes + 1, ' '));
  CHECK_THROWS_WITH_AS(static_cast<void>(read_user_operators_file(path)), doctest::Contains("more than 1048576 bytes"),
                       Error);
  CHECK_THROWS_AS(static_cast<void>(read_user_operators_file(folder.path("none.json"))), Error);
}

TEST_CASE("user operators: the example fits its schema and is read") {
  std::ostringstream text;
  text << std::ifstream(user_example).rdbuf();
  CHECK(schema_problems(user_schema, text.str()) == "");
  const std::vector<UserOperator> read = read_user_operators_file(user_example);
  REQUIRE(read.size() == 4);
  CHECK(read[0].name == "my_extension::linear");
  CHECK(read[2].backward_category == "SDPA_bwd");
  CHECK(read[3].family == nullptr);
}

TEST_CASE("user operators: the schema refuses what the reader refuses") {
  const SchemaCheck schema(user_schema);
  for (const std::string& fields : {std::string(one_name), std::string(R"("category": "GEMM")"),
                                    std::string(R"("category": "GEMM", "operators": [])"),
                                    std::string(R"("category": "GEMM", "kind": 1, )") + one_name}) {
    CHECK(user_refusal(file_with(fields)) != "accepted");
    CHECK(schema.problems(file_with(fields)) != "");
  }
  CHECK(schema.problems(file_with(std::string(R"("category": "GEMM", )") + one_name)) == "");
}

TEST_CASE("operator set: a user's operator has the figures of its family, its category and its sheet") {
  const OperatorSet set(read_user_operators(
      file_with(R"("category": "GEMM", "sheet": "GEMM", "model": "gemm", "arguments": {"a": 1, "b": 0, "order_b": "nk"},
             "operators": ["mine::linear"])"),
      "mine.json"));
  const OperatorRegistry& registry = set.registry();
  const RegisteredOperator* const found = registry.find("mine::linear");
  REQUIRE(found != nullptr);
  CHECK(registry.spelling_of(found->category) == "GEMM");
  CHECK(found->sheet == "GEMM");
  CHECK(registry.size() == operator_registry().size() + 1);
  CHECK(operator_registry().find("mine::linear") == nullptr);
  // B is [N, K] = [16, 32], A is [M, K] = [64, 32]: 2 x 64 x 16 x 32 FLOPs.
  const Call call = {"mine::linear", {tensor_of("float", {16, 32}), tensor_of("float", {64, 32})}, {}};
  CHECK(estimate_call(registry, call).flops == 65'536);
  CHECK(estimate_call(operator_registry(), call).gap == Gap::not_modelled);
  CHECK(registry.model_of("aten::mm") == operator_registry().model_of("aten::mm"));
  CHECK(set.replaced().empty());
}

TEST_CASE("operator set: a known name is replaced, and named so") {
  const OperatorSet set(read_user_operators(
      file_with(R"("category": "my_kind", "operators": ["aten::mm", "mine::other"])"), "mine.json"));
  CHECK(set.replaced() == std::vector<std::string_view>{"aten::mm"});
  const RegisteredOperator* const found = set.registry().find("aten::mm");
  REQUIRE(found != nullptr);
  CHECK(set.registry().spelling_of(found->category) == "my_kind");
  CHECK(found->model == nullptr);
  CHECK(found->sheet.empty());
  CHECK(set.registry().size() == operator_registry().size() + 1);
  CHECK(operator_registry().spelling_of(operator_registry().find("aten::mm")->category) == "GEMM");
}

TEST_CASE("operator set: backward work that a model knows always has a category") {
  const auto category = [](const std::string& fields) {
    const OperatorSet set(read_user_operators(
        file_with(R"("category": "SDPA_fwd", "model": "attention", "arguments": {"q": 0, "k": 1, "v": 2},)" + fields +
                  one_name),
        "mine.json"));
    const auto backward = set.registry().find("mine::op")->backward_category;
    return backward ? std::string(set.registry().spelling_of(*backward)) : "none";
  };
  CHECK(category(R"("backward_category": "mine_bwd", )") == "mine_bwd");
  CHECK(category("") == "SDPA_fwd");
}

TEST_CASE("operator set: sets are equal by what they add") {
  const auto with = [](const std::string& name) {
    return OperatorSet(
        read_user_operators(file_with(R"("category": "GEMM", "operators": [")" + name + R"("])"), "mine.json"));
  };
  CHECK(with("x") == with("x"));
  CHECK_FALSE(with("x") == with("y"));
  CHECK_FALSE(with("x") == OperatorSet());
  CHECK(OperatorSet(std::vector<UserOperator>()) == OperatorSet());
  CHECK(&OperatorSet().registry() == &operator_registry());
}
}  // namespace kinetoscope::perf_model
