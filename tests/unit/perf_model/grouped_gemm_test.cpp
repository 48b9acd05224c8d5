#include "core/perf_model/families/grouped_gemm.hpp"

#include <doctest/doctest.h>

#include "core/perf_model/models.hpp"
#include "tests/support/model_calls.hpp"

namespace kinetoscope::perf_model {
namespace {

constexpr const char* fixed_k = "primus_turbo::grouped_gemm";
constexpr const char* variable_k = "primus_turbo::grouped_gemm_variable_k";

Estimate grouped(const char* name, Operand a, Operand b) {
  return estimate_call(operator_registry(), {name, {std::move(a), std::move(b)}, {}});
}
}  // namespace

TEST_CASE("grouped gemm: B is stored either way, and groups share the rows of A") {
  // M 6, K 4, N 3, G 2: 2*6*4*3 = 144 FLOPs; 24 of A, 24 of B, 18 of the result, two bytes each.
  for (const Shape& b : {Shape{2, 4, 3}, Shape{2, 3, 4}}) {
    const Estimate found = grouped(fixed_k, tensor_of("c10::BFloat16", {6, 4}), tensor_of("c10::BFloat16", b));
    CHECK(found.flops == 144);
    CHECK(found.bytes_moved == (24 + 24 + 18) * 2);
    CHECK(found.quality == Quality::exact);
    CHECK(printed(found.parameters) == "{'M': 6, 'K': 4, 'N': 3, 'G': 2, 'bpe_in': 2, 'bpe_out': 2}");
  }
}

TEST_CASE("grouped gemm: the result of 8-bit operands is bf16") {
  const Estimate found = grouped(fixed_k, tensor_of("c10::Float8_e4m3fnuz", {8192, 4096}),
                                 tensor_of("c10::Float8_e4m3fnuz", {8, 4096, 1024}));
  CHECK(found.flops == 68719476736);     // 2 * 8192 * 4096 * 1024
  CHECK(found.bytes_moved == 83886080);  // 8192*4096 + 8*4096*1024 + 8192*1024*2
  CHECK(compute_spec(found.unit, found.precision) == "matrix_fp8");
  CHECK(found.notes.has(Note::output_type_assumed));
}

TEST_CASE("grouped gemm: each operand has its own size, the result that of A") {
  const Estimate found =
      grouped(fixed_k, tensor_of("c10::BFloat16", {6, 4}), tensor_of("c10::Float8_e4m3fn", {2, 4, 3}));
  CHECK(found.bytes_moved == 24 * 2 + 24 * 1 + 18 * 2);
  const Estimate unknown = grouped(fixed_k, tensor_of("c10::BFloat16", {6, 4}), tensor_of("c10::New", {2, 4, 3}));
  CHECK(unknown.flops == 144);
  CHECK(unknown.gap_detail == "c10::New");
}

TEST_CASE("grouped gemm: lists of matrices, their rows added up") {
  const Estimate found = grouped(fixed_k, list_of("float", {{2, 4}, {5, 4}}), list_of("float", {{4, 3}, {4, 3}}));
  CHECK(found.flops == 2 * 7 * 4 * 3);
  CHECK(found.bytes_moved == (7 * 4 + 2 * 4 * 3 + 7 * 3) * 4);
}

TEST_CASE("grouped gemm: variable K sums the products of its pairs") {
  const Estimate found =
      grouped(variable_k, list_of("c10::BFloat16", {{2, 4}, {2, 5}}), list_of("c10::BFloat16", {{4, 3}, {5, 3}}));
  CHECK(found.flops == 2 * 2 * (4 + 5) * 3);
  CHECK(found.bytes_moved == (2 * 9 + 9 * 3 + 2 * 2 * 3) * 2);
  CHECK(printed(found.parameters) ==
        "{'M': 2, 'K': None, 'N': 3, 'G': 2, 'bpe_in': 2, 'bpe_out': 2, "
        "'group_pairs': [((2, 4), (4, 3)), ((2, 5), (5, 3))]}");
}

TEST_CASE("grouped gemm: variable K of one tensor each is one group") {
  // A [6, 4], B [6, 3]: (6, 4), (4, 3). An accumulator of 8-bit operands has two bytes.
  const Estimate found =
      grouped(variable_k, tensor_of("c10::Float8_e4m3fn", {6, 4}), tensor_of("c10::Float8_e4m3fn", {6, 3}));
  CHECK(found.flops == 144);
  CHECK(found.bytes_moved == 24 + 12 + 18 * 2);
}

TEST_CASE("grouped gemm: shapes that do not fit are a gap") {
  const auto gap_of = [](const char* name, Operand a, Operand b) {
    return grouped(name, std::move(a), std::move(b)).gap;
  };
  CHECK(gap_of(fixed_k, tensor_of("float", {6, 4}), tensor_of("float", {2, 5, 3})) == Gap::shape_not_fitting);
  CHECK(gap_of(fixed_k, tensor_of("float", {6, 4}), tensor_of("float", {4, 3})) == Gap::shape_not_fitting);
  CHECK(gap_of(fixed_k, list_of("float", {{2, 4}}), list_of("float", {{4, 3}, {4, 3}})) == Gap::shape_not_fitting);
  CHECK(gap_of(fixed_k, list_of("float", {{2, 4}, {2, 5}}), list_of("float", {{4, 3}, {5, 3}})) ==
        Gap::shape_not_fitting);
  CHECK(gap_of(fixed_k, list_of("float", {{2}}), list_of("float", {{4, -3}})) == Gap::shape_not_fitting);
  CHECK(gap_of(variable_k, list_of("float", {{2, 4}}), list_of("float", {{5, 3}})) == Gap::shape_not_fitting);
  CHECK(gap_of(variable_k, tensor_of("float", {6, 4}), tensor_of("float", {5, 3})) == Gap::shape_not_fitting);
  CHECK(gap_of(fixed_k, list_of("float", {{2, 4}}), tensor_of("float", {2, 4, 3})) == Gap::argument_not_recorded);
}

TEST_CASE("grouped gemm: the backward work is not modelled") {
  const Call call{fixed_k, {tensor_of("float", {6, 4}), tensor_of("float", {2, 4, 3})}, {}};
  CHECK(estimate_backward_of(operator_registry(), call).gap == Gap::not_modelled);
}
}  // namespace kinetoscope::perf_model
