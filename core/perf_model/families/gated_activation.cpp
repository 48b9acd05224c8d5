#include "core/perf_model/families/gated_activation.hpp"

#include <array>

#include "core/perf_model/traffic.hpp"

namespace kinetoscope::perf_model {
namespace {

constexpr Field gated_out{"out", FieldKind::tensor, true, "the result"};
constexpr Field gated_a{"a", FieldKind::tensor, true, "both halves, twice as wide as the result"};
constexpr Field gated_activation{"activation", FieldKind::choice, false, "the function of the first half",
                                 "silu gelu gelu_tanh"};
constexpr std::array gated_fields = {gated_out, gated_a, gated_activation};

double operations_per_element(std::string_view activation) {
  if (activation == "gelu") return 8;
  return activation == "gelu_tanh" ? 10 : 5;
}

void estimate_gated_activation(const ModelInput& input, Estimate& out) {
  const Operand& result = input.tensor(gated_out);
  const Operand& a = input.tensor(gated_a);
  const double results = elements_of(result.dims);
  out.quality = Quality::exact;
  out.unit = ComputeUnit::vector;
  out.precision = precision_of(a.type);
  out.flops = operations_per_element(input.choice(gated_activation)) * results;
  Traffic traffic;
  traffic.add(2 * results, a.type);
  traffic.add(results, result.type);
  traffic.put_into(out);
  out.add_parameter("op_shape", printed_tuple(result.dims));
  out.add_parameter("dtype_in_out", printed_tuple_of_texts({a.type, result.type}));
  out.add_parameter("stride_input", printed_or_none(a.strides));
  out.add_parameter("stride_output", printed_or_none(result.strides));
}
}  // namespace

constinit const ModelFamily gated_activation_family = {.name = "gated_activation",
                                                       .meaning = "an activation times the other half",
                                                       .fields = gated_fields,
                                                       .forward = estimate_gated_activation};
}  // namespace kinetoscope::perf_model
