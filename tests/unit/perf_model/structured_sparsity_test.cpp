#include "core/perf_model/structured_sparsity.hpp"

#include <doctest/doctest.h>

#include "core/perf_model/platform_table.hpp"

namespace kinetoscope::perf_model {
namespace {

std::optional<double> sparse_peak(std::string_view platform, std::string_view spec, double dense) {
  return peak_with_sparsity(known_platform(platform), spec, dense);
}
}  // namespace

TEST_CASE(
    "structured sparsity: tensor cores from Ampere on and matrix cores of CDNA 3 and 4 print twice the dense peak") {
  CHECK(sparse_peak("H200 SXM", "matrix_bf16", 989.5) == 1979);  // the data sheet's larger figure
  CHECK(sparse_peak("A100 SXM 80GB", "matrix_tf32", 156) == 312);
  CHECK(sparse_peak("B200", "matrix_fp4", 9000) == 18'000);
  CHECK(sparse_peak("MI300X", "matrix_fp8", 2614.9) == 5229.8);
  CHECK(sparse_peak("MI355X", "matrix_int8", 5033.2) == 10'066.4);
}

TEST_CASE(
    "structured sparsity: where the hardware has none, or the vendor prints less than twice, there is no figure") {
  CHECK(!sparse_peak("V100 SXM2 16GB", "matrix_fp16", 125));  // 7.0
  CHECK(!sparse_peak("T4", "matrix_int8", 130));              // 7.5
  CHECK(!sparse_peak("MI250X", "matrix_bf16", 191.5));        // CDNA 2
  CHECK(!sparse_peak("MI355X", "matrix_fp4", 10'066.3));
  CHECK(!sparse_peak("B300", "matrix_fp4", 13'500));  // 18,000 with sparsity
  CHECK(!sparse_peak("H200 SXM", "matrix_fp64", 67));
  CHECK(!sparse_peak("H200 SXM", "vector_fp32", 67));
  for (const std::string_view arch :
       {"", "cc", "cc ", "cc 9", "cc 9.", "cc .0", "cc 9.00", "cc 99999.0", "cc x.0", "gfx"}) {
    CAPTURE(arch);
    Platform odd;
    odd.arch = arch;
    CHECK(!peak_with_sparsity(odd, "matrix_bf16", 1));
  }
}
}  // namespace kinetoscope::perf_model
