#include "core/perf_model/families/cache_store.hpp"

#include <algorithm>
#include <array>

#include "core/perf_model/traffic.hpp"

namespace kinetoscope::perf_model {
namespace {

constexpr Field cache_store_keys{"keys", FieldKind::tensor, true, "the new keys; values are taken to be as many"};
constexpr std::array cache_store_fields = {cache_store_keys};

void estimate_cache_store(const ModelInput& input, Estimate& out) {
  const Operand& keys = input.tensor(cache_store_keys);
  const double elements = elements_of(keys.dims);
  out.quality = Quality::exact;
  out.unit = ComputeUnit::vector;
  out.precision = precision_of(keys.type);
  out.flops = 0;
  Traffic traffic;
  traffic.add(4 * elements, keys.type);
  traffic.put_into(out);
  out.add_parameter("op_shape", printed_tuple(keys.dims));
  out.add_parameter("nelems", static_cast<std::int64_t>(std::min(9e18, elements)));
  out.add_parameter("dtype", keys.type);
}
}  // namespace

constinit const ModelFamily cache_store_family = {.name = "cache_store",
                                                  .meaning = "new keys and values put into the cache",
                                                  .fields = cache_store_fields,
                                                  .forward = estimate_cache_store};
}  // namespace kinetoscope::perf_model
