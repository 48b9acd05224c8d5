#include "server/cli/roofline.hpp"

#include <filesystem>
#include <string>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "tests/support/program.hpp"
#include "tests/support/shared_files.hpp"
#include "tests/support/xml_elements.hpp"
#include "tests/unit/io/scratch_folder.hpp"

namespace kinetoscope {
namespace {

constexpr const char* example_trace = "examples/traces/training_step.json.gz";
}  // namespace

TEST_CASE("roofline: the folder has the printed result and both figures") {
  const io::ScratchFolder folder;
  const ProgramRun run = run_program({"roofline", example_trace, "-o", folder.path("r"), "--json"});
  REQUIRE(run.status == 0);
  CHECK(folder.content("r/roofline.json") == run.output);
  CHECK(nlohmann::json::parse(run.output).at("schema") == "kinetoscope.roofline.1");
  for (const char* figure : {"r/roofline.svg", "r/waterfall.svg"}) {
    CAPTURE(figure);
    CHECK(read_xml(folder.content(figure)).problem == "");
  }
}

TEST_CASE("roofline: of the example it says what each product, norm and attention reached, none more than there is") {
  const ProgramRun run = run_program({"roofline", example_trace, "--top", "100", "--json"});
  REQUIRE(run.status == 0);
  const nlohmann::json result = nlohmann::json::parse(run.output);
  std::size_t products = 0;
  for (const nlohmann::json& group : result.at("groups")) {
    CAPTURE(group.dump());
    if (group.at("percent_of_roofline").is_null()) continue;
    CHECK(group.at("percent_of_roofline") < 100);
    if (group.at("name") != "aten::mm") continue;
    ++products;
    CHECK(group.at("percent_of_roofline") > 60);
    CHECK(group.at("calls") == 4);  // of 2 layers in 2 steps
  }
  // Four linears, each of one product forward and two backward; shapes that are alike have other strides.
  CHECK(products == 12);
  const nlohmann::json& whole = result.at("efficiency").at("whole");
  // A layer: three times the forward products, 2 x 4096 x 1024 x 1024 x (3 + 1 + 4 + 4) each; attention's two products
  // forward and five backward, 2 x 8 x 16 x 512 x 512 x 64 each. Two layers in two steps.
  CHECK(whole.at("work").at("model_flops") == 4 * (3 * 103'079'215'104 + 7 * 4'294'967'296));
  CHECK(whole.at("mfu") > 0.25);
  CHECK(whole.at("mfu") < 0.45);
}

TEST_CASE("roofline: the same bytes with one and two threads, and twice in a row") {
  const io::ScratchFolder folder;
  const ProgramRun one = run_program({"roofline", example_trace, "--threads", "1", "--json", "-o", folder.path("one")});
  const ProgramRun two = run_program({"roofline", example_trace, "--threads", "2", "--json", "-o", folder.path("two")});
  CHECK(one.status == 0);
  CHECK(one.output == two.output);
  for (const char* name : {"/roofline.svg", "/waterfall.svg"}) {
    CHECK(folder.content(std::string("one") + name) == folder.content(std::string("two") + name));
  }
}

TEST_CASE("roofline: a platform that is named, or none, is what the result says") {
  const ProgramRun named = run_program({"roofline", example_trace, "--platform", "B200", "--json"});
  REQUIRE(named.status == 0);
  CHECK(nlohmann::json::parse(named.output).at("platform").at("source") == "named");
  const ProgramRun none = run_program({"roofline", example_trace, "--platform", "none", "--json"});
  REQUIRE(none.status == 0);
  CHECK(nlohmann::json::parse(none.output).at("efficiency").is_null());
  const ProgramRun unknown = run_program({"roofline", example_trace, "--platform", "H1000"});
  CHECK(unknown.status == 2);
  CHECK(unknown.errors.find("MI300X") != std::string::npos);
  CHECK(run_program({"roofline", example_trace, "--top", "0"}).status == 2);
}

TEST_CASE("roofline: a trace without shapes cannot answer, and nothing is written") {
  const io::ScratchFolder folder;
  folder.file("kernels.json", R"({"traceEvents": [
    {"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 1, "dur": 2}]})");
  const ProgramRun run = run_program({"roofline", folder.path("kernels.json"), "-o", folder.path("r")});
  CHECK(run.status == 1);
  CHECK(run.errors.find("[cannot_answer]") != std::string::npos);
  CHECK(folder.files() == 1);
}

TEST_CASE("roofline: it does not write over the trace that it reads") {
  const io::ScratchFolder folder;
  const std::string trace = folder.path("roofline.json");
  std::filesystem::copy_file(field_input("F32_display_time_unit_ns.json"), trace);
  const std::string before = folder.content("roofline.json");
  CHECK(run_program({"roofline", trace, "-o", folder.path("")}).status == 2);
  CHECK(folder.content("roofline.json") == before);
}

TEST_CASE("roofline: redacted results and files do not name the trace's folder") {
  const io::ScratchFolder folder;
  const std::string trace = folder.path("secret-job.json.gz");
  std::filesystem::copy_file(example_trace, trace);
  const ProgramRun run = run_program({"roofline", trace, "-o", folder.path("r"), "--redact"});
  CHECK(run.status == 0);
  CHECK(run.output.find("secret-job") == std::string::npos);
  for (const char* name : {"r/roofline.json", "r/roofline.svg", "r/waterfall.svg"}) {
    CAPTURE(name);
    CHECK(folder.content(name).find("secret-job") == std::string::npos);
  }
}
}  // namespace kinetoscope
