#include "core/perf_model/families/token_exchange.hpp"

#include <array>

#include "core/perf_model/traffic.hpp"

namespace kinetoscope::perf_model {
namespace {

constexpr Field exchanged_tokens{"tokens", FieldKind::tensor, true, "[M, H]"};
constexpr std::array exchange_fields = {exchanged_tokens};

void estimate_token_exchange(const ModelInput& input, Estimate& out) {
  const Operand& tokens = input.tensor(exchanged_tokens, 2);
  out.quality = Quality::exact;
  out.flops = 0;
  Traffic traffic;
  traffic.add(tokens);
  traffic.put_into(out);
  out.add_parameter("num_tokens", count_parameter(static_cast<double>(tokens.dims[0])));
  out.add_parameter("hidden_dim", count_parameter(static_cast<double>(tokens.dims[1])));
  out.add_parameter("dtype", tokens.type);
}
}  // namespace

constinit const ModelFamily token_exchange_family = {.name = "token_exchange",
                                                     .meaning = "tokens sent to their experts' devices and back",
                                                     .fields = exchange_fields,
                                                     .forward = estimate_token_exchange};
}  // namespace kinetoscope::perf_model
