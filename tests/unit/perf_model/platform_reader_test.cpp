#include "core/perf_model/platform_reader.hpp"

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "tests/support/schema_check.hpp"
#include "tests/unit/io/scratch_folder.hpp"

namespace kinetoscope::perf_model {
namespace {

/// What the error of a file "u.json" says, without its code; "accepted" when there is none.
std::string refusal(const std::string& json) {
  try {
    static_cast<void>(read_platform(json, "u.json"));
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::data_file_invalid);
    CHECK(error.failure().input == "u.json");
    return error.failure().argument + ": " + error.failure().problem;
  }
  return "accepted";
}

std::string with(const std::string& fields) { return R"({"name": "x", "mem_bw_gbps": 1, )" + fields + "}"; }
}  // namespace

TEST_CASE("platform file: what does not fit is refused by file, field and reason") {
  const std::string tflops = R"("tflops": {"matrix_bf16": 1})";
  CHECK(refusal(with(tflops)) == "accepted");
  CHECK(refusal("not json").starts_with(": it is not JSON: "));
  CHECK(refusal("").starts_with(": it is not JSON: "));
  CHECK(refusal("[]") == "platform: it is not an object");
  CHECK(refusal(R"({"mem_bw_gbps": 1, )" + tflops + "}") == "name: it is missing");
  CHECK(refusal(R"({"name": "", "mem_bw_gbps": 1, )" + tflops + "}") == "name: it is empty");
  CHECK(refusal(R"({"name": 7, "mem_bw_gbps": 1, )" + tflops + "}") == "name: it is not a text");
  CHECK(refusal(R"({"name": "x", )" + tflops + "}") == "mem_bw_gbps: it is missing");
  CHECK(refusal(R"({"name": "x", "mem_bw_gbps": 1})") == "tflops: it is missing");
  CHECK(refusal(with(R"("tflops": {"matrix_bf16": -3})")) == "tflops.matrix_bf16: it is not above 0");
  CHECK(refusal(with(R"("tflops": {"matrix_bf16": 0})")) == "tflops.matrix_bf16: it is not above 0");
  CHECK(refusal(with(R"("tflops": {"matrix_bf16": "fast"})")) ==
        "tflops.matrix_bf16: it is neither a number nor a figure with its value and kind");
  CHECK(refusal(with(R"("tflops": {"matrix_bf16": null})")) ==
        "tflops.matrix_bf16: it is neither a number nor a figure with its value and kind");
  CHECK(refusal(with(R"("tflops": {"matrix_bf61": 1})")) == "tflops: there is no such compute spec");
  CHECK(refusal(with(R"("tflops": {})")) == "tflops: it is empty");
  CHECK(refusal(with(R"("tflops": 5)")) == "tflops: it is not an object");
  CHECK(refusal(with(tflops + R"(, "max_achievable_tflops": {"matrix_bf16": 1})")) ==
        "max_achievable_tflops: tflops says the same");
  CHECK(refusal(with(tflops + R"(, "tflop": 1)")) == "tflop: there is no such field");
  CHECK(refusal(with(tflops + R"(, "memory_gb": -1)")) == "memory_gb: it is not above 0");
  CHECK(refusal(with(tflops + R"(, "no_path": ["matrix_bf16"])")) == "no_path: it has a figure");
  CHECK(refusal(with(tflops + R"(, "no_path": ["matrix_bf17"])")) == "no_path: there is no such compute spec");
  CHECK(refusal(with(tflops + R"(, "informational": 1)")) == "informational: it is neither true nor false");
  CHECK(refusal(with(tflops + R"(, "rates": {"matrix_bf16": -1})")) == "rates.matrix_bf16: it is not above 0");
  CHECK(refusal(with(tflops + R"(, "detect": {"names": "MI300X"})")) == "detect.names: it is not a list");
  CHECK(refusal(with(tflops + R"(, "detect": {"names": ["x"], "units": 0})")) ==
        "detect.units: it is not between 1 and 1000000");
}

TEST_CASE("platform file: not finite is no figure") {
  // JSON has no such numbers; writers that have them write words, or more digits than a double holds.
  CHECK(refusal(with(R"("tflops": {"matrix_bf16": NaN})")).starts_with(": it is not JSON: "));
  CHECK(refusal(with(R"("tflops": {"matrix_bf16": 1e999})")).starts_with(": it is not JSON: "));
  CHECK(refusal(with(R"("tflops": {"matrix_bf16": "Infinity"})")).starts_with("tflops.matrix_bf16: "));
}

TEST_CASE("platform file: values nested without end are refused like others") {
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  CHECK(refusal(deep) == "platform: it is not an object");
  CHECK(refusal(with(R"("tflops": {"matrix_bf16": )" + deep + "}")).starts_with("tflops.matrix_bf16"));
  CHECK(refusal(with(R"("tflops": )" + deep)) == "tflops: it is not an object");
}

TEST_CASE("platform file: a figure has a value and a kind, each kind once") {
  const auto bf16 = [](const std::string& figure) { return with(R"("tflops": {"matrix_bf16": )" + figure + "}"); };
  CHECK(refusal(bf16(R"({"value": 1, "kind": "peak"})")) == "accepted");
  CHECK(refusal(bf16(R"({"kind": "peak"})")) == "tflops.matrix_bf16.value: it is missing");
  CHECK(refusal(bf16(R"({"value": 1})")) == "tflops.matrix_bf16.kind: it is missing");
  CHECK(refusal(bf16(R"({"value": -1, "kind": "peak"})")) == "tflops.matrix_bf16.value: it is not above 0");
  CHECK(refusal(bf16(R"({"value": 1, "kind": "best"})")) ==
        "tflops.matrix_bf16.kind: it is none of peak, measured, stated");
  CHECK(refusal(bf16(R"({"value": 1, "kind": "peak", "status": "sure"})")) ==
        "tflops.matrix_bf16.status: it is none of verified, single, unverified");
  CHECK(refusal(bf16(R"({"value": 1, "kind": "peak", "unit": "T"})")) ==
        "tflops.matrix_bf16.unit: there is no such field");
  CHECK(refusal(bf16(R"([{"value": 1, "kind": "peak"}, {"value": 2, "kind": "peak"}])")) ==
        "tflops.matrix_bf16: it has two figures of kind peak");
  CHECK(refusal(R"({"name": "x", "mem_bw_gbps": {"value": 1, "kind": "measured"}, "tflops": {"matrix_bf16": 1}})") ==
        "mem_bw_gbps: it is the peak; a measured one is mem_bw_achievable_gbps");
}

TEST_CASE("platform file: the flat form that TraceLens reads is taken, and fits the schema") {
  const std::string flat =
      R"({"name": "MI300X", "_reference": "none", "source": "data sheet", "freq_mhz": 2100, "num_cus": 304,
          "mem_bw_gbps": 5300, "memory_gb": 192, "max_achievable_tflops": {"matrix_bf16": 708, "vector_fp32": 81}})";
  CHECK(schema_problems("schemas/data/platform.schema.json", flat).empty());
  const Platform platform = read_platform(flat, "flat.json");
  CHECK(platform.name == "MI300X");
  CHECK(platform.memory_gb == Figure{192, FigureKind::stated, FigureStatus::unverified, "", ""});
  CHECK(platform.compute.at("matrix_bf16").peak == Figure{708, FigureKind::stated, FigureStatus::unverified, "", ""});
  CHECK_FALSE(platform.units.has_value());
}

TEST_CASE("platform file: the schema refuses what the reader refuses") {
  const SchemaCheck check("schemas/data/platform.schema.json");
  CHECK(check.problems(with(R"("tflops": {"matrix_bf16": 1})")).empty());
  CHECK_FALSE(check.problems(with(R"("tflops": {"matrix_bf16": -1})")).empty());
  CHECK_FALSE(check.problems(with(R"("tflops": {"matrix_bf61": 1})")).empty());
  CHECK_FALSE(check.problems(with(R"("tflop": {"matrix_bf16": 1})")).empty());
  CHECK_FALSE(check.problems(R"({"name": "x", "tflops": {"matrix_bf16": 1}})").empty());
}

TEST_CASE("platform file: is read from disk, up to a limit") {
  const io::ScratchFolder folder;
  const std::string path = folder.file("p.json", with(R"("tflops": {"matrix_bf16": 1})"));
  CHECK(read_platform_file(path).name == "x");
  CHECK_THROWS_AS(static_cast<void>(read_platform_file(path + ".absent")), Error);
  const std::string long_path = folder.file("long.json", std::string(most_platform_bytes + 1, ' '));
  CHECK_THROWS_WITH_AS(static_cast<void>(read_platform_file(long_path)), doctest::Contains("more than 1048576 bytes"),
                       Error);
}
}  // namespace kinetoscope::perf_model
