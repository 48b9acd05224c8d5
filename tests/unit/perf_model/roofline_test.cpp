#include "core/perf_model/roofline.hpp"

#include <doctest/doctest.h>

#include "core/perf_model/platform_table.hpp"

namespace kinetoscope::perf_model {
namespace {

Estimate estimate_of(std::optional<double> flops, std::optional<double> bytes_moved, ComputeUnit unit,
                     std::optional<Precision> precision) {
  Estimate estimate;
  estimate.flops = flops;
  estimate.bytes_moved = bytes_moved;
  estimate.unit = unit;
  estimate.precision = precision;
  estimate.quality = Quality::exact;
  return estimate;
}

const Platform& mi300x() { return known_platform("MI300X"); }

TEST_CASE("roofline: a product of matrices is bound by the measured ceiling of its type") {
  // 788 x 768 times 768 x 768 in bf16: 2 M N K + M N FLOPs over 708 TFLOP/s, 3.43505859375 MiB over 5300 GB/s.
  const Roofline roofline =
      roofline_of(estimate_of(930'167'808, 3.43505859375 * 1'048'576, ComputeUnit::matrix, Precision::bf16), mi300x());
  CHECK(*roofline.compute_ns == doctest::Approx(1313.79633898305).epsilon(1e-12));
  CHECK(*roofline.memory_ns == doctest::Approx(679.608151).epsilon(1e-6));
  CHECK(*roofline.time_ns == *roofline.compute_ns);
  CHECK(roofline.bound == Bound::compute);
  CHECK(roofline.answered_by == "matrix_bf16");
  CHECK(!roofline.is_lower_bound);
  CHECK(roofline.reason.empty());
}

TEST_CASE("roofline: little arithmetic on many bytes is bound by memory") {
  // Attention of 4.6171875 MiB at 5300 GB/s: 0.913485283 µs, as the reference has it.
  const Roofline roofline =
      roofline_of(estimate_of(476'884'992, 4.6171875 * 1'048'576, ComputeUnit::matrix, Precision::bf16), mi300x());
  CHECK(*roofline.time_ns == doctest::Approx(913.485283018868).epsilon(1e-12));
  CHECK(roofline.bound == Bound::memory);
  CHECK(roofline.fits_cache);  // of 256 MiB
}

TEST_CASE("roofline: a call without arithmetic is bound by memory, and nothing is missing") {
  const Roofline roofline = roofline_of(estimate_of(0, 5.3e9, ComputeUnit::none, {}), mi300x());
  CHECK(*roofline.time_ns == doctest::Approx(1e6).epsilon(1e-12));  // 5.3 GB at 5300 GB/s
  CHECK(roofline.bound == Bound::memory);
  CHECK(!roofline.compute_ns);
  CHECK(!roofline.is_lower_bound);
  CHECK(!roofline.fits_cache);
}

TEST_CASE("roofline: without a ceiling for the type the memory time stands as a lower bound, with the reason") {
  const Roofline roofline = roofline_of(estimate_of(1e12, 5.3e9, ComputeUnit::matrix, Precision::fp4), mi300x());
  CHECK(*roofline.time_ns == doctest::Approx(1e6).epsilon(1e-12));
  CHECK(roofline.is_lower_bound);
  CHECK(roofline.reason == "no matrix_fp4 path on MI300X");
}

TEST_CASE("roofline: where bytes are not known the arithmetic stands as a lower bound") {
  Estimate estimate = estimate_of(708e9, {}, ComputeUnit::matrix, Precision::bf16);
  estimate.gap = Gap::element_type_unknown;
  const Roofline roofline = roofline_of(estimate, mi300x());
  CHECK(*roofline.time_ns == doctest::Approx(1e6).epsilon(1e-12));
  CHECK(roofline.bound == Bound::compute);
  CHECK(roofline.is_lower_bound);
  CHECK(roofline.reason == "element_type_unknown");
}

TEST_CASE("roofline: without figures, and with none but zeros, there is none") {
  Estimate none;
  none.gap = Gap::step_not_annotated;
  CHECK(!roofline_of(none, mi300x()).time_ns);
  CHECK(roofline_of(none, mi300x()).reason == "step_not_annotated");
  const Roofline empty = roofline_of(estimate_of(0, 0, ComputeUnit::vector, Precision::fp32), mi300x());
  CHECK(!empty.time_ns);
  CHECK(!empty.bound);
  CHECK(empty.reason.empty());
}

TEST_CASE("roofline: what crosses to other devices is held against the links (D6)") {
  Estimate estimate = estimate_of(0, 9e6, ComputeUnit::none, {});
  estimate.link_bytes = 4.5e6;
  const Platform& h100 = known_platform("H100 SXM");  // 450 GB/s each way, 3350 GB/s of memory
  const Roofline linked = roofline_of(estimate, h100);
  CHECK(*linked.link_ns == doctest::Approx(10'000));
  CHECK(*linked.time_ns == *linked.link_ns);
  CHECK(linked.bound == Bound::link);
  CHECK(!linked.is_lower_bound);
  Platform without = h100;
  without.link_gbps_per_direction.reset();
  const Roofline unknown = roofline_of(estimate, without);
  CHECK(unknown.bound == Bound::memory);
  CHECK(unknown.is_lower_bound);
  CHECK(unknown.reason == "no bandwidth of links is known of H100 SXM");
}

TEST_CASE("roofline: products of fp32 operands are held against what the kernel's name says") {
  CHECK(fp32_products_of("ampere_sgemm_128x64_tn") == Fp32Products::exact);
  CHECK(fp32_products_of("cutlass_80_tensorop_s1688gemm_128x256_16x3_tn_align4") == Fp32Products::tf32);
  CHECK(fp32_products_of("sm90_xmma_gemm_f32f32_tf32f32_f32_tn_n_tilesize128x128x32") == Fp32Products::tf32);
  CHECK(fp32_products_of("sm80_xmma_gemm_f16f16_f16f32_f32_tn_n_tilesize64x64x64") == Fp32Products::exact);
  const Estimate estimate = estimate_of(494.5e9, 1, ComputeUnit::matrix, Precision::fp32);
  const Platform& h100 = known_platform("H100 SXM");
  CHECK(roofline_of(estimate, h100, Fp32Products::tf32).answered_by == "matrix_tf32");
  CHECK(roofline_of(estimate, h100, Fp32Products::exact).answered_by == "vector_fp32");
}
}  // namespace
}  // namespace kinetoscope::perf_model
