#include "core/report/roofline_json.hpp"

#include <string>

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "core/report/roofline_figures.hpp"
#include "core/report/roofline_text.hpp"
#include "core/study/study.hpp"
#include "tests/support/schema_check.hpp"
#include "tests/support/shared_files.hpp"
#include "tests/support/trace_builder.hpp"
#include "tests/support/xml_elements.hpp"

namespace kinetoscope {
namespace {

std::string roofline_problems(const report::Json& result) {
  static const SchemaCheck schema("schemas/artifacts/roofline.schema.json");
  return schema.problems(result.dump());
}

report::RooflineResult roofline_result_of(const Study& study, const analysis::TableOptions& options) {
  return {.file = study.name(),
          .partial = study.trace().partial(),
          .report = &study.roofline(options),
          .diagnostics = study.diagnostics()};
}

/// A product of matrices of 2 x 4096 x 4096 x 4096 FLOPs that runs 200 µs, then a copy of 50 µs.
TestTrace product_and_copy() {
  return TestTrace()
      .op("aten::mm", 0, 100_us,
          R"("Input Dims": [[4096, 4096], [4096, 4096]], "Input type": ["c10::BFloat16", "c10::BFloat16"])")
      .launch("cudaLaunchKernel", 10_us, 20_us, 7)
      .op("mine::unknown", 110_us, 150_us)
      .launch("cudaLaunchKernel", 120_us, 130_us, 8)
      .kernel("gemm", 200_us, 400_us, 7)
      .kernel("mystery", 400_us, 450_us, 8);
}

analysis::TableOptions on_h100() {
  analysis::TableOptions options;
  options.platform = analysis::platform_choice_of("H100 SXM");
  return options;
}
}  // namespace

TEST_CASE("roofline json: what is said of each recorded trace fits the schema, with its platform and without") {
  for (const std::string& name : shared_trace_names()) {
    CAPTURE(name);
    const Study study(name, shared_trace(name));
    analysis::TableOptions without;
    without.platform = analysis::no_platform();
    for (const analysis::TableOptions& options : {analysis::TableOptions(), without}) {
      const report::RooflineResult result = roofline_result_of(study, options);
      CHECK(roofline_problems(report::roofline_json(result)) == "");
      CHECK_NOTHROW(static_cast<void>(report::roofline_text(result, false)));
      CHECK(read_xml(report::roofline_svg(result)).problem == "");
      CHECK(read_xml(report::waterfall_svg(result)).problem == "");
    }
  }
}

TEST_CASE("roofline json: a group has its time, its roofline and what could be recovered") {
  const Study study("trace.json", product_and_copy().load());
  const report::Json json = report::roofline_json(roofline_result_of(study, on_h100()));
  CHECK(roofline_problems(json) == "");
  const report::Json& group = json.at("groups").at(0);
  CHECK(group.at("name") == "aten::mm");
  CHECK(group.at("counted_ns") == 200'000);
  // 2 x 4096^3 FLOPs at the measured ceiling of 795 TFLOP/s; MFU is held against the dense peak.
  const double roofline_ns = 2.0 * 4096 * 4096 * 4096 / 795e12 * 1e9;
  const double at_peak_ns = 2.0 * 4096 * 4096 * 4096 / 989.4e12 * 1e9;
  CHECK(group.at("roofline_ns").get<double>() == doctest::Approx(roofline_ns));
  CHECK(group.at("recoverable_ns").get<double>() == doctest::Approx(200'000 - roofline_ns));
  CHECK(group.at("percent_of_roofline").get<double>() == doctest::Approx(roofline_ns / 2'000));
  CHECK(group.at("percent_of_busy") == 80.0);
  CHECK(group.at("percent_of_modelled") == 100.0);
  CHECK(group.at("call").at("bound") == "COMPUTE_BOUND");
  CHECK(json.at("groups").at(1).at("name") == "mine::unknown");
  CHECK(json.at("groups").at(1).at("modelled_calls") == 0);
  CHECK(json.at("efficiency").at("whole").at("mfu").get<double>() == doctest::Approx(at_peak_ns / 250'000));
  CHECK(json.at("efficiency").at("whole").at("unmodelled").at("operators").at(0).at("name") == "mine::unknown");
}

TEST_CASE("roofline json: more than the peak is said to be so") {
  // 2 x 4096^3 FLOPs in 100 ns are 1,374 PFLOP/s.
  const Study study("trace.json", TestTrace()
                                      .op("aten::mm", 0, 100_us,
                                          R"("Input Dims": [[4096, 4096], [4096, 4096]],
                                             "Input type": ["c10::BFloat16", "c10::BFloat16"])")
                                      .launch("cudaLaunchKernel", 10_us, 20_us, 7)
                                      .kernel("gemm", 200_us, 200'100, 7)
                                      .load());
  const report::RooflineResult result = roofline_result_of(study, on_h100());
  const report::Json json = report::roofline_json(result);
  CHECK(roofline_problems(json) == "");
  CHECK(json.at("efficiency").at("whole").at("is_above_peak") == true);
  CHECK(report::roofline_text(result, false).find("more than the peak: ") != std::string::npos);
  const Study plain("trace.json", product_and_copy().load());
  const report::Json below = report::roofline_json(roofline_result_of(plain, on_h100()));
  CHECK(below.at("efficiency").at("whole").at("is_above_peak") == false);
}

TEST_CASE("roofline json: groups are cut to what was asked for, and their number is told") {
  const Study study("trace.json", product_and_copy().load());
  report::RooflineResult result = roofline_result_of(study, on_h100());
  result.most_groups = 1;
  const report::Json json = report::roofline_json(result);
  CHECK(json.at("groups").size() == 1);
  CHECK(json.at("groups_total") == 2);
}

TEST_CASE("roofline json: without a platform there are FLOPs and the reason, and no efficiency") {
  const Study study("trace.json", product_and_copy().load());
  const report::RooflineResult result = roofline_result_of(study, {});
  const report::Json json = report::roofline_json(result);
  CHECK(json.at("efficiency").is_null());
  CHECK(json.at("platform").at("reason").get<std::string>() != "");
  CHECK(json.at("groups").at(0).at("call").at("flops") == 2.0 * 4096 * 4096 * 4096);
  CHECK(json.at("groups").at(0).at("call").at("roofline_ns").is_null());
  CHECK(report::roofline_text(result, false).find("No rooflines: ") != std::string::npos);
  CHECK(report::waterfall_svg(result).find("no platform") != std::string::npos);
}

TEST_CASE("roofline json: a key that the schema does not know is refused") {
  const Study study("trace.json", product_and_copy().load());
  report::Json json = report::roofline_json(roofline_result_of(study, on_h100()));
  json["surprise"] = 1;
  CHECK(roofline_problems(json) != "");
}

TEST_CASE("roofline text: MFU stands beside its denominators, and losses beside their shares") {
  const Study study("trace.json", product_and_copy().load());
  const std::string text = report::roofline_text(roofline_result_of(study, on_h100()), false);
  // 137.4 GFLOP in 250 µs are 549.8 TFLOP/s, 55.6 % of 989.4.
  CHECK(text.find("MFU  55.6 %  549.8 of 989.4 TFLOP/s dense matrix_bf16 (peak)") != std::string::npos);
  CHECK(text.find("unmodelled_work         50.000 us   20.0 %") != std::string::npos);
  CHECK(text.find("is the figure with 2:4 sparsity, which dense work cannot reach") != std::string::npos);
}

TEST_CASE("roofline figures: points, ceilings and bars are those of the result") {
  const Study study("trace.json", product_and_copy().load());
  const report::RooflineResult result = roofline_result_of(study, on_h100());
  const std::string roofline = report::roofline_svg(result);
  CHECK(roofline.find("aten::mm") != std::string::npos);
  CHECK(roofline.find("795 TFLOP/s, measured") != std::string::npos);
  CHECK(roofline.find("Work that no model explains, 20.0 % of the time, is not shown.") != std::string::npos);
  const std::string waterfall = report::waterfall_svg(result);
  CHECK(waterfall.find("55.6 % MFU on H100 SXM") != std::string::npos);
  CHECK(waterfall.find("above the roofline") == std::string::npos);  // no such call, no such bar
}
}  // namespace kinetoscope
