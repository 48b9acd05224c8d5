#include "core/perf_model/platform.hpp"

#include <doctest/doctest.h>

#include "core/perf_model/platform_reader.hpp"
#include "core/perf_model/platform_table.hpp"

namespace kinetoscope::perf_model {
namespace {

const Platform& known(std::string_view name) { return known_platform(name); }

double ceiling_value(std::string_view platform, std::string_view spec, Fp32Products products = Fp32Products::exact) {
  const Ceiling ceiling = ceiling_of(known(platform), spec, products);
  REQUIRE_MESSAGE(ceiling.figure.has_value(), platform << " " << spec << ": " << ceiling.reason);
  return ceiling.figure->value;
}
}  // namespace

TEST_CASE("ceiling: a measured figure goes before the peak, which stands beside it") {
  const Ceiling bf16 = ceiling_of(known("MI300X"), "matrix_bf16");
  REQUIRE(bf16.figure.has_value());
  CHECK(bf16.figure->value == 708);
  CHECK(bf16.figure->kind == FigureKind::measured);
  REQUIRE(bf16.peak.has_value());
  CHECK(bf16.peak->value == 1307.4);
  CHECK(bf16.peak->kind == FigureKind::peak);
  CHECK(bf16.answered_by == "matrix_bf16");
  CHECK_FALSE(bf16.is_estimated);
  CHECK(bf16.note.empty());
  CHECK(bf16.reason.empty());

  const Ceiling int8 = ceiling_of(known("MI300X"), "matrix_int8");
  REQUIRE(int8.figure.has_value());
  CHECK(int8.figure->value == 2614.9);
  CHECK(int8.figure->kind == FigureKind::peak);
  CHECK_FALSE(int8.peak.has_value());
}

TEST_CASE("ceiling: MI300X and MI325X differ in what was measured and are equal in peaks") {
  // Two devices of 304 units at 2100 MHz; only memory and power differ.
  CHECK(ceiling_value("MI300X", "matrix_fp16") == 654);
  CHECK(ceiling_value("MI300X", "matrix_fp8") == 1273);
  CHECK(ceiling_value("MI325X", "matrix_fp16") == 794);
  CHECK(ceiling_value("MI325X", "matrix_bf16") == 843);
  CHECK(ceiling_value("MI325X", "matrix_fp8") == 1519);
  for (const std::string_view name : {"MI300X", "MI325X"}) {
    CAPTURE(name);
    CHECK(ceiling_value(name, "matrix_fp64") == 163.4);
    CHECK(ceiling_value(name, "matrix_fp32") == 163.4);
    CHECK(ceiling_value(name, "matrix_tf32") == 653.7);
    CHECK(ceiling_value(name, "vector_fp64") == 81.7);
    CHECK(ceiling_value(name, "vector_fp32") == 163.4);
    CHECK(ceiling_value(name, "vector_fp32_unpacked") == 81.7);
  }
}

TEST_CASE("ceiling: what the hardware lacks is told apart from what nobody states") {
  CHECK(ceiling_of(known("MI300X"), "matrix_fp4").reason == "no matrix_fp4 path on MI300X");
  CHECK(ceiling_of(known("V100 SXM2 16GB"), "matrix_bf16").reason == "no matrix_bf16 path on V100 SXM2 16GB");
  CHECK(ceiling_of(known("MI300X"), "vector_fp8").reason == "no figure of vector_fp8 is known on MI300X");
  CHECK(ceiling_of(known("MI300X"), "matrix_fp12").reason == R"("matrix_fp12" is no compute spec)");
  CHECK(ceiling_of(known("MI300X"), "").reason == R"("" is no compute spec)");
  CHECK_FALSE(ceiling_of(known("MI300X"), "matrix_fp4").figure.has_value());
}

TEST_CASE("ceiling: fp32 products on NVIDIA run at the vector rate, or in TF32 where the kernel says so") {
  const Ceiling exact = ceiling_of(known("H100 SXM"), "matrix_fp32");
  REQUIRE(exact.figure.has_value());
  CHECK(exact.figure->value == 66.9);
  CHECK(exact.answered_by == "vector_fp32");
  CHECK(exact.note == "no matrix_fp32 path on H100 SXM: products of fp32 operands run at the vector rate");

  const Ceiling tf32 = ceiling_of(known("H100 SXM"), "matrix_fp32", Fp32Products::tf32);
  REQUIRE(tf32.figure.has_value());
  CHECK(tf32.figure->value == 494.7);
  CHECK(tf32.answered_by == "matrix_tf32");
  CHECK(tf32.note == "the products of fp32 operands run in TF32");

  CHECK(ceiling_value("T4", "matrix_fp32", Fp32Products::tf32) == 8.1);        // no TF32 there: vector_fp32
  CHECK(ceiling_value("MI355X", "matrix_fp32", Fp32Products::tf32) == 157.3);  // has a path of its own
  CHECK(ceiling_value("MI300X", "matrix_bf16", Fp32Products::tf32) == 708);    // no fp32 operands
}

TEST_CASE("ceiling: vector bf16 without figure is estimated by unpacked vector fp32") {
  const Platform unpacked = read_platform(
      R"({"name": "x", "mem_bw_gbps": 1, "tflops": {"vector_fp32": 160, "vector_fp32_unpacked": 80}})", "x.json");
  const Ceiling estimated = ceiling_of(unpacked, "vector_bf16");
  REQUIRE(estimated.figure.has_value());
  CHECK(estimated.figure->value == 80);
  CHECK(estimated.is_estimated);
  CHECK(estimated.answered_by == "vector_fp32_unpacked");
  CHECK(estimated.note ==
        "no figure of vector_bf16 is known on x; estimated by vector_fp32_unpacked, which may be half of it or less");
  CHECK_FALSE(ceiling_of(unpacked, "vector_fp64").figure.has_value());

  const Ceiling h20 = ceiling_of(known("H20"), "vector_fp16");
  REQUIRE(h20.figure.has_value());
  CHECK(h20.figure->value == 44);
  CHECK(h20.is_estimated);
  CHECK_FALSE(ceiling_of(known("MI300X"), "vector_bf16").is_estimated);  // ships 81.7, unverified
  CHECK(ceiling_of(known("MI300X"), "vector_bf16").figure->status == FigureStatus::unverified);
}

TEST_CASE("ceiling: of a user's flat file the numbers are stated, and memory stays the peak") {
  const Platform platform = read_platform(
      R"({"name": "mine", "mem_bw_gbps": 5300, "memory_gb": 192, "max_achievable_tflops": {"matrix_bf16": 700}})", "f");
  const Ceiling ceiling = ceiling_of(platform, "matrix_bf16");
  REQUIRE(ceiling.figure.has_value());
  CHECK(ceiling.figure->value == 700);
  CHECK(ceiling.figure->kind == FigureKind::stated);
  CHECK(platform.mem_bw_gbps.value == 5300);
  CHECK(ceiling_of(platform, "matrix_fp32").reason == "no figure of matrix_fp32 is known on mine");
}

TEST_CASE("compute specs: are every unit with every precision, and the unpacked rate last") {
  CHECK(compute_specs().size() == 2 * 9 + 1);
  CHECK(compute_specs().front() == "matrix_fp64");
  CHECK(compute_specs().back() == "vector_fp32_unpacked");
}
}  // namespace kinetoscope::perf_model
