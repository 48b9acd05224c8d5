#include "core/perf_model/families/cross_entropy.hpp"

#include <algorithm>
#include <array>

#include "core/perf_model/traffic.hpp"

namespace kinetoscope::perf_model {
namespace {

constexpr Field cross_entropy_logits{"logits", FieldKind::tensor, true, "logits, [..., V]"};
constexpr std::array cross_entropy_fields = {cross_entropy_logits};

void estimate_cross_entropy(const ModelInput& input, Estimate& out) {
  const Operand& logits = input.tensor(cross_entropy_logits, 1);
  const double rows = elements_of(Shape(logits.dims.begin(), logits.dims.end() - 1));
  out.quality = Quality::exact;
  out.unit = ComputeUnit::vector;
  out.precision = precision_of(logits.type);
  out.flops = 5 * elements_of(logits.dims);
  constexpr double bytes_of_target_and_loss = 8 + 4;
  Traffic traffic;
  traffic.add(logits);
  traffic.add_bytes(rows * bytes_of_target_and_loss);
  traffic.put_into(out);
  out.add_parameter("B", static_cast<std::int64_t>(std::min(9e18, rows)));
  out.add_parameter("V", logits.dims.back());
  out.add_parameter("dtype", logits.type);
}
}  // namespace

constinit const ModelFamily cross_entropy_family = {.name = "cross_entropy",
                                                    .meaning = "cross entropy of logits",
                                                    .fields = cross_entropy_fields,
                                                    .forward = estimate_cross_entropy};
}  // namespace kinetoscope::perf_model
