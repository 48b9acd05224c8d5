// Every row of model_cases.json: what a model must say of one call. Rows are data, so that an operator of a known
// family is tested by a row, without C++. The form of a row stands in the file itself.

#include "core/perf_model/models.hpp"

#include <cmath>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "core/names/step_annotations.hpp"
#include "tests/support/schema_check.hpp"
#include "tests/support/written_call.hpp"

namespace kinetoscope::perf_model {
namespace {

using nlohmann::json;

constexpr const char* cases_file = "tests/unit/perf_model/model_cases.json";

std::string case_text() {
  std::ifstream file(cases_file);
  REQUIRE(file.good());
  return {std::istreambuf_iterator<char>(file), {}};
}

Call call_of(const json& row) {
  WrittenLiterals literals;
  const json given = row.value("literals", json::object());
  for (const auto& [position, literal] : given.items()) literals[std::stoul(position)] = literal.get<std::string>();
  return written_call(row.at("operator").get<std::string>(), row.at("operands").get<std::vector<std::string>>(),
                      literals);
}

/// Owns what a context points to.
struct CaseContext {
  explicit CaseContext(const json& row) {
    const json given = row.value("context", json::object());
    if (given.contains("annotation")) {
      annotation = names::parse_step_annotation(given.at("annotation").get<std::string>());
      REQUIRE(annotation.has_value());
      context.step = &*annotation;
    }
    if (given.contains("forward")) {
      forward = call_of(given.at("forward"));
      context.forward = &*forward;
    }
    first_kernel = given.value("first_kernel", std::string());
    kv_cache_type = given.value("kv_cache_type", std::string());
    served_model = given.value("served_model", std::string());
    context.first_kernel = first_kernel;
    context.kv_cache_type = kv_cache_type;
    context.served_model = served_model;
    if (given.contains("experts_per_token"))
      context.experts_per_token = given.at("experts_per_token").get<std::int64_t>();
    if (given.contains("query_heads")) context.query_heads = given.at("query_heads").get<std::int64_t>();
    if (given.contains("is_gated")) context.is_gated = given.at("is_gated").get<bool>();
  }
  std::optional<names::StepAnnotation> annotation;
  std::optional<Call> forward;
  std::string first_kernel;
  std::string kv_cache_type;
  std::string served_model;
  CallContext context;
};

/// Equal to the last digits of a double; whole numbers exactly.
void check_figure(const std::optional<double>& found, const json& wanted, std::string_view figure) {
  CAPTURE(figure);
  if (wanted.is_null()) {
    CHECK_FALSE(found.has_value());
    return;
  }
  REQUIRE(found.has_value());
  const double value = wanted.get<double>();
  if (wanted.is_number_integer()) {
    CHECK(*found == value);
  } else {
    CHECK(std::abs(*found - value) <= 1e-12 * value);
  }
}
}  // namespace

TEST_CASE("models: the rows fit their schema") {
  CHECK(schema_problems("schemas/data/model_cases.schema.json", case_text()).empty());
}

TEST_CASE("models: every row of model_cases.json has its figures") {
  const json document = json::parse(case_text());
  for (const json& row : document.at("cases")) {
    const auto id = row.at("id").get<std::string>();
    CAPTURE(id);
    const Call call = call_of(row);
    CAPTURE(call.name);
    const CaseContext context(row);
    const bool is_backward = row.value("work", std::string("forward")) == "backward";
    const Estimate found = is_backward ? estimate_backward_of(operator_registry(), call, context.context)
                                       : estimate_call(operator_registry(), call, context.context);
    CAPTURE(found.gap_detail);
    check_figure(found.flops, row.at("flops"), "flops");
    check_figure(found.bytes_moved, row.at("bytes_moved"), "bytes_moved");
    CHECK(compute_spec(found.unit, found.precision) == row.at("compute_spec").get<std::string>());
    CHECK(spelling_of(found.quality) == row.at("quality").get<std::string>());
    const std::string gap = found.gap ? std::string(spelling_of(*found.gap)) : std::string();
    CHECK(gap == row.value("gap", std::string()));
  }
}

TEST_CASE("models: parameters of reductions and copies say what is written and read") {
  const auto parameters_of = [](const Call& call) {
    return printed(estimate_call(operator_registry(), call, {}).parameters);
  };
  CHECK(parameters_of(written_call("aten::mean", {"f32[16,559,1024]"}, {{1, "[-1]"}, {2, "True"}})) ==
        "{'num_input_elems': 9158656, 'num_output_elems': 8944, 'dtype_in_out': ('float', None), "
        "'reduce_type': 'mean'}");  // 16 x 559
  // A source without dimensions is one element, not an absent operand.
  CHECK(parameters_of(written_call("aten::copy_", {"i64()/[]", "i64()/[]"}, {{2, "True"}})) ==
        "{'op_shape': (), 'dtype_in_out': ('long int', 'long int'), 'stride_input': (), 'stride_output': ()}");
  CHECK(parameters_of(written_call("aten::copy_", {"i64[4]/[1]"}, {{2, "True"}})) == "{}");
}

TEST_CASE("models: a row that differs from what others report names the defect") {
  const json document = json::parse(case_text());
  for (const json& row : document.at("cases")) {
    CAPTURE(row.at("id").get<std::string>());
    CHECK(row.contains("reference") == row.contains("defect"));
    if (!row.contains("reference")) continue;
    const json& reference = row.at("reference");
    const bool differs = reference.value("flops", json()) != row.at("flops") ||
                         reference.value("bytes_moved", json()) != row.at("bytes_moved") ||
                         reference.value("compute_spec", json()) != row.at("compute_spec");
    CHECK(differs);
  }
}
}  // namespace kinetoscope::perf_model
