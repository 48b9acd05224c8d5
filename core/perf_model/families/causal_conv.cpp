#include "core/perf_model/families/causal_conv.hpp"

#include <array>

#include "core/perf_model/traffic.hpp"

namespace kinetoscope::perf_model {
namespace {

constexpr Field causal_conv_a{"a", FieldKind::tensor, true, "the sequences, [b, c, L]"};
constexpr Field causal_conv_filter{"filter", FieldKind::tensor, true, "a filter for each channel, [c, k]"};
constexpr Field causal_conv_bias{"bias", FieldKind::tensor, false, "summand of each channel"};
constexpr std::array causal_conv_fields = {causal_conv_a, causal_conv_filter, causal_conv_bias};

void estimate_causal_conv(const ModelInput& input, Estimate& out) {
  const Operand& a = input.tensor(causal_conv_a, 3);
  const Operand& filter = input.tensor(causal_conv_filter, 2);
  const Operand* const bias = input.find(causal_conv_bias);
  out.quality = Quality::exact;
  out.unit = ComputeUnit::vector;
  out.precision = precision_of(a.type);
  out.flops = 2 * elements_of(a.dims) * static_cast<double>(filter.dims[1]);
  Traffic traffic;
  traffic.add(a);
  traffic.add(elements_of(a.dims), a.type);
  traffic.add(filter);
  if (bias != nullptr && !bias->dims.empty()) traffic.add(input.tensor(causal_conv_bias));
  traffic.put_into(out);
  out.add_parameter("B", a.dims[0]);
  out.add_parameter("C", a.dims[1]);
  out.add_parameter("L", a.dims[2]);
  out.add_parameter("K", filter.dims[1]);
  out.add_parameter("bias", bias != nullptr && !bias->dims.empty());
  out.add_parameter("dtype", a.type);
}
}  // namespace

constinit const ModelFamily causal_conv_family = {.name = "causal_conv",
                                                  .meaning = "causal convolution of each channel",
                                                  .fields = causal_conv_fields,
                                                  .forward = estimate_causal_conv};
}  // namespace kinetoscope::perf_model
