#include <doctest/doctest.h>

#include "core/report/platforms_json.hpp"
#include "core/report/platforms_text.hpp"
#include "tests/support/schema_check.hpp"

namespace kinetoscope::report {

TEST_CASE("platforms: the JSON fits its schema and has what ceilings are taken of") {
  const Json document = platforms_json(perf_model::platform_table());
  CHECK(schema_problems("schemas/artifacts/platforms.schema.json", json_text(document)).empty());
  for (const Json& platform : document.at("platforms")) {
    if (platform.at("name") != "MI300X") continue;
    CHECK(platform.at("mem_bw_gbps").at("value") == 5300);
    const Json& bf16 = platform.at("compute").at(4);  // matrix fp64, fp32, tf32, fp16, bf16
    CHECK(bf16.at("spec") == "matrix_bf16");
    CHECK(bf16.at("tflops") == 708);
    CHECK(bf16.at("kind") == "measured");
    CHECK(bf16.at("peak").at("value") == 1307.4);
    const Json& fp4 = platform.at("compute").at(7);
    CHECK(fp4.at("tflops").is_null());
    CHECK(fp4.at("reason") == "no matrix_fp4 path on MI300X");
    CHECK(fp4.at("no_path") == true);
    return;
  }
  FAIL("no MI300X");
}

TEST_CASE("platforms: the text marks measured and unverified figures, and what the hardware lacks") {
  const std::string text = platforms_text(perf_model::platform_table(), false);
  const auto line_of = [&](const std::string& name) {
    const std::size_t begin = text.find("\n  " + name + " ") + 1;
    return text.substr(begin, text.find('\n', begin) - begin);
  };
  CHECK(line_of("MI300X").find(" 708m ") != std::string::npos);
  CHECK(line_of("MI300X").find(" 163.4? ") == std::string::npos);
  CHECK(line_of("MI300X").ends_with(" 163.4?"));  // vector fp16 is arithmetic
  CHECK(line_of("MI300X").find(" - ") != std::string::npos);
  CHECK(text.find("MI250X card *") != std::string::npos);
  CHECK(text.find("without figures: MI308X") != std::string::npos);
}
}  // namespace kinetoscope::report
