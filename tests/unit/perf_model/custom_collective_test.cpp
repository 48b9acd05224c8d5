#include "core/perf_model/families/custom_collective.hpp"

#include <doctest/doctest.h>

#include "core/perf_model/models.hpp"
#include "tests/support/model_calls.hpp"

namespace kinetoscope::perf_model {

TEST_CASE("custom collectives: read what they give, write what they get, compute nothing") {
  const Operand small = tensor_of("c10::BFloat16", {4, 8});
  const Operand large = tensor_of("c10::BFloat16", {8, 8});
  const auto bytes_of = [](const char* name, std::vector<Operand> operands) {
    const Estimate found = estimate_call(operator_registry(), {name, std::move(operands), {}});
    CHECK(found.flops == 0);
    CHECK(compute_spec(found.unit, found.precision).empty());
    return found.bytes_moved;
  };
  CHECK(bytes_of("_C_custom_ar::all_reduce", {absent(), small, small}) == 2 * 32 * 2);
  CHECK(bytes_of("sgl_kernel::qr_all_reduce", {absent(), large}) == 2 * 64 * 2);
  CHECK(bytes_of("aiter::reduce_scatter", {absent(), large, small}) == (64 + 32) * 2);
  CHECK(bytes_of("aiter::all_gather_reg", {absent(), small, large}) == (32 + 64) * 2);
  CHECK(bytes_of("sglang::reg_all_gather_into_tensor", {large, small}) == (64 + 32) * 2);
}

TEST_CASE("custom collectives: a sum with RMSNorm does 2 c + 2 a row and three a value") {
  // 32 values in rows of 8: 32 + 4 * 18 + 64 = 168; four passes over 32 values and the weight of 8.
  const Operand a = tensor_of("c10::BFloat16", {4, 8});
  const Operand weight = tensor_of("c10::BFloat16", {8});
  for (const Call& call : {Call{"aiter::fused_allreduce_rmsnorm", {absent(), absent(), a, a, a, a, weight}, {}},
                           Call{"aiter::fused_allreduce_rmsnorm_", {a, a, weight}, {}}}) {
    const Estimate found = estimate_call(operator_registry(), call);
    CHECK(found.flops == 168);
    CHECK(found.bytes_moved == (4 * 32 + 8) * 2);
    CHECK(found.quality == Quality::exact);
  }
  CHECK(estimate_call(operator_registry(), {"aiter::fused_allreduce_rmsnorm_", {a, a, tensor_of("float", {0})}, {}})
            .gap == Gap::shape_not_fitting);
}

TEST_CASE("custom collectives: what crosses the links each way at least, whatever the number of devices") {
  const Operand shard = tensor_of("c10::BFloat16", {16, 128});  // 2,048 values
  const Operand whole = tensor_of("c10::BFloat16", {64, 128});
  const auto link_bytes_of = [](const char* name, std::vector<Operand> operands) {
    return estimate_call(operator_registry(), {name, std::move(operands), {}}).link_bytes;
  };
  // Of two devices' sum each sends its values once; of more each sends more.
  CHECK(link_bytes_of("_C_custom_ar::all_reduce", {absent(), shard, shard}) == 2 * 2'048);
  // A quarter is here: a gather gets the other three quarters, a scatter gives them.
  CHECK(link_bytes_of("sglang::reg_all_gather_into_tensor", {whole, shard}) == 2 * (8'192 - 2'048));
  CHECK(link_bytes_of("aiter::reduce_scatter", {absent(), whole, shard}) == 2 * (8'192 - 2'048));
  CHECK_FALSE(link_bytes_of("aten::mm", {shard, tensor_of("c10::BFloat16", {128, 8})}).has_value());
}
}  // namespace kinetoscope::perf_model
