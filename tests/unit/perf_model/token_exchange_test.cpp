#include "core/perf_model/families/token_exchange.hpp"

#include <doctest/doctest.h>

#include "core/perf_model/models.hpp"
#include "tests/support/model_calls.hpp"

namespace kinetoscope::perf_model {

TEST_CASE("token exchange: moves the tokens and computes nothing, which is a figure") {
  for (const char* name : {"MoEDispatch", "MoECombine"}) {
    const Estimate found = estimate_call(operator_registry(), {name, {tensor_of("c10::BFloat16", {4, 8})}, {}});
    CHECK(found.flops == 0);
    CHECK(found.bytes_moved == 64);
    CHECK(found.quality == Quality::exact);
    CHECK(compute_spec(found.unit, found.precision).empty());
  }
  CHECK(estimate_call(operator_registry(), {"MoEDispatch", {tensor_of("float", {4})}, {}}).gap ==
        Gap::shape_not_fitting);
}
}  // namespace kinetoscope::perf_model
