#include "core/perf_model/families/fused_experts.hpp"

#include <array>

#include "core/perf_model/expert_sizes.hpp"
#include "core/perf_model/value_sizes.hpp"

namespace kinetoscope::perf_model {
namespace {

constexpr Field fused_a{"a", FieldKind::tensor, true, "the tokens, [M, K]"};
constexpr Field fused_first{"first_weights", FieldKind::tensor, true, "of the first product, [E, N or 2N, K / packed]"};
constexpr Field fused_second{"second_weights", FieldKind::tensor, true, "of the second product, [E, K, N / packed]"};
constexpr Field fused_out{"out", FieldKind::tensor, false, "the result, where the caller passes it"};
constexpr Field fused_routed{"routed", FieldKind::tensor, false, "experts or weights of each token, [M, k]"};
constexpr Field fused_per_token{"experts_per_token", FieldKind::literal, false, "k, where no operand says it"};
constexpr Field fused_a_bytes{"a_bytes", FieldKind::number, false,
                              "bytes of a token's value where its type does not say; 2 without"};
constexpr std::array fused_fields = {fused_a,      fused_first,     fused_second, fused_out,
                                     fused_routed, fused_per_token, fused_a_bytes};

void estimate_fused_experts(const ModelInput& input, Estimate& out) {
  const Operand& a = input.tensor(fused_a, 1);
  const Operand& first = input.tensor(fused_first, 3);
  const Operand& result = input.has(fused_out) ? input.tensor(fused_out, 1) : a;
  ExpertSizes sizes;
  sizes.tokens = static_cast<double>(result.dims[0]);
  read_both_weights(first, input.tensor(fused_second, 3), sizes);
  sizes.experts_per_token = experts_per_token(input, fused_routed, fused_per_token);

  const double weight_bytes = bytes_per_value(first.type).value_or(usual_weight_bytes);
  const double a_bytes = bytes_per_value(a.type).value_or(input.fixed(fused_a_bytes, usual_activation_bytes));
  const double result_bytes =
      input.has(fused_out) ? bytes_per_value(result.type).value_or(usual_activation_bytes) : a_bytes;
  const double active = active_experts(sizes);
  const double per_token = sizes.experts_per_token;
  const double token_values = sizes.tokens * sizes.hidden;
  const double products = sizes.is_gated ? 3 : 2;
  out.flops = 2 * token_values * sizes.intermediate * per_token * products + token_values * (2 * per_token - 1);
  out.bytes_moved = token_values * a_bytes + active * sizes.intermediate * sizes.hidden * weight_bytes * products +
                    token_values * result_bytes;
  out.precision = precision_of(a.type);
  describe_expert_product(sizes, weight_bytes, out);
}
}  // namespace

constinit const ModelFamily fused_experts_family = {.name = "fused_experts",
                                                    .meaning = "a mixture of experts in one kernel",
                                                    .fields = fused_fields,
                                                    .forward = estimate_fused_experts};
}  // namespace kinetoscope::perf_model
