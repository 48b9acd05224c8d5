#include "core/report/info_json.hpp"

#include <filesystem>
#include <iterator>
#include <string>

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "core/study/study.hpp"
#include "examples/generator/defect_case.hpp"
#include "tests/support/loaded_trace.hpp"
#include "tests/support/schema_check.hpp"
#include "tests/support/shared_files.hpp"

namespace kinetoscope {
namespace {

std::string info_problems(const report::Json& info) {
  static const SchemaCheck schema("schemas/artifacts/info.schema.json");
  return schema.problems(info.dump());
}

report::Json info_of(Trace&& trace) { return report::info_json(Study("trace.json", std::move(trace)).info()); }
}  // namespace

TEST_CASE("info json: what is said of each field input fits the schema") {
  std::size_t read = 0;
  const std::filesystem::path folder = std::filesystem::path(field_input("F05_trailing_comma.json")).parent_path();
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("F") || name.starts_with("F09")) continue;  // F09 has no content
    CAPTURE(name);
    CHECK(info_problems(info_of(field_trace(name))) == "");
    ++read;
  }
  CHECK(read == 38);
}

TEST_CASE("info json: what is said of each generated defect fits the schema") {
  for (const examples::DefectCase& defect : examples::defect_cases()) {
    if (defect.expected.contains("error")) continue;
    CAPTURE(defect.id);
    CAPTURE(defect.variant);
    if (defect.bytes.starts_with("\x1f\x8b")) continue;  // compressed: the same documents
    CHECK(info_problems(info_of(trace_of(defect.bytes))) == "");
  }
}

TEST_CASE("info json: a key that the schema does not know is refused") {
  report::Json info = info_of(trace_of(R"({"traceEvents": []})"));
  CHECK(info_problems(info) == "");
  info["surprise"] = 1;
  CHECK(info_problems(info) != "");
}

TEST_CASE("info json: the keys that programs rely on come first, in their order") {
  const report::Json info = info_of(trace_of(R"({"traceEvents": []})"));
  std::string keys;
  for (const auto& [key, value] : info.items()) keys += key + " ";
  CHECK(keys.starts_with(
      "schema file kind partial fitness gpu unlinked launches steps devices counts diagnostics do_not_analyse "));
}

TEST_CASE("info json: the roles add up to the events") {
  const report::Json info = info_of(field_trace("F24_collective_kernel_names.json"));
  std::int64_t sum = 0;
  for (const auto& [key, value] : info.at("counts").items()) sum += key == "events" ? 0 : value.get<std::int64_t>();
  CHECK(sum == info.at("counts").at("events").get<std::int64_t>());
}
}  // namespace kinetoscope
