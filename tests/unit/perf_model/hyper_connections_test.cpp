#include "core/perf_model/families/hyper_connections.hpp"

#include <doctest/doctest.h>

#include "core/perf_model/models.hpp"
#include "tests/support/model_calls.hpp"

namespace kinetoscope::perf_model {
namespace {

// M 2, C 8, n 4: 16 values of a layer, 64 of all streams; mixing weights 2*4 + 2*4*4 = 40 floats.
// h 24, K 32, s 3: 24*32 = 768, partial projections 3*2*24 = 144 and 3*2 = 6 floats.
const Operand layer_values = tensor_of("c10::BFloat16", {2, 8});
const Operand stream_values = tensor_of("c10::BFloat16", {2, 4, 8});
const Operand gate_floats = tensor_of("float", {2, 4, 1});
const Operand mix_floats = tensor_of("float", {2, 4, 4});
const Operand partial_floats = tensor_of("float", {3, 2, 24});
const Operand square_floats = tensor_of("float", {3, 2});
const Operand projection_matrix = tensor_of("float", {24, 32});

void check_hyper(const Call& call, double flops, double bytes_moved, std::string_view spec) {
  CAPTURE(call.name);
  const Estimate found = estimate_call(operator_registry(), call);
  CHECK(found.flops == flops);
  CHECK(found.bytes_moved == bytes_moved);
  CHECK(compute_spec(found.unit, found.precision) == spec);
  CHECK(found.quality == Quality::exact);
}
}  // namespace

TEST_CASE("hyper-connections: each step has its figures") {
  check_hyper({"aiter::mhc_post", {stream_values, layer_values, stream_values, gate_floats, mix_floats}, {}},
              2 * 64 * 5, (16 + 2 * 64) * 2 + 40 * 4, "vector_bf16");
  check_hyper({"aiter::mhc_pre_gemm_sqrsum", {partial_floats, square_floats, stream_values, projection_matrix}, {}},
              2 * 2 * 24 * 32, 64 * 2 + (768 + 144 + 6) * 4, "matrix_bf16");
  check_hyper({"aiter::mhc_pre_big_fuse_rmsnorm",
               {gate_floats, mix_floats, layer_values, partial_floats, square_floats, tensor_of("float", {3}),
                tensor_of("float", {24}), stream_values, tensor_of("c10::BFloat16", {8})},
               {}},
              2 * 64 + 5 * 16, (64 + 8 + 16) * 2 + (144 + 40) * 4, "vector_bf16");
  check_hyper({"aiter::mhc_fused_post_pre_gemm_sqrsum",
               {partial_floats, square_floats, stream_values, layer_values, stream_values, gate_floats, mix_floats,
                projection_matrix},
               {}},
              2 * 64 * 5 + 2 * 2 * 24 * 32, (16 + 3 * 64) * 2 + (40 + 768 + 144 + 6) * 4, "matrix_bf16");
}

TEST_CASE("hyper-connections: a type that is not recorded is bf16, an unknown one leaves the bytes missing") {
  Call call{"aiter::mhc_post", {tensor_of("", {2, 4, 8}), tensor_of("", {2, 8})}, {}};
  check_hyper(call, 640, (16 + 2 * 64) * 2 + 40 * 4, "vector_bf16");
  call.operands[1].type = "c10::New";
  const Estimate unknown = estimate_call(operator_registry(), call);
  CHECK(unknown.flops == 640);
  CHECK(unknown.gap == Gap::element_type_unknown);
}
}  // namespace kinetoscope::perf_model
