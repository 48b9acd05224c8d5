#include "core/perf_model/families/expert_routing.hpp"

#include <algorithm>
#include <array>

#include "core/perf_model/traffic.hpp"

namespace kinetoscope::perf_model {
namespace {

constexpr Field routing_form{"form", FieldKind::choice, false, "what is done", "plain append softplus"};
constexpr Field routing_chosen{"chosen", FieldKind::tensor, false, "numbers or weights of chosen experts, [M, k]"};
constexpr Field routing_weights{"weights", FieldKind::tensor, false, "weights of chosen experts, [M, k]"};
constexpr Field routing_scores{"scores", FieldKind::tensor, false, "of every expert, [M, E]"};
constexpr std::array routing_fields = {routing_form, routing_chosen, routing_weights, routing_scores};

void set_routing_precision(const Operand& operand, Estimate& out) { out.precision = precision_of(operand.type); }

void estimate_plain_routing(const ModelInput& input, Estimate& out) {
  const Operand* largest = nullptr;
  Traffic traffic;
  for (const Operand& operand : input.call().operands) {
    if (operand.dims.empty()) continue;
    if (std::ranges::any_of(operand.dims, [](std::int64_t size) { return size < 0; })) {
      throw NoEstimate{Gap::shape_not_fitting, "an operand is " + printed_tuple(operand.dims).text};
    }
    traffic.add(operand);
    if (largest == nullptr || elements_of(operand.dims) > elements_of(largest->dims)) largest = &operand;
  }
  if (largest == nullptr) throw NoEstimate{Gap::argument_not_recorded, "operands"};
  out.flops = elements_of(largest->dims);
  set_routing_precision(*largest, out);
  traffic.put_into(out);
  out.add_parameter("op_shape", printed_tuple(largest->dims));
}

void estimate_append(const ModelInput& input, Estimate& out) {
  const Operand& chosen = input.tensor(routing_chosen);
  const Operand& weights = input.tensor(routing_weights);
  out.flops = elements_of(chosen.dims);
  set_routing_precision(weights, out);
  Traffic traffic;
  traffic.add(chosen);
  traffic.add(weights);
  traffic.add(elements_of(chosen.dims), chosen.type);
  traffic.add(elements_of(weights.dims), weights.type);
  traffic.put_into(out);
  out.add_parameter("op_shape", printed_tuple(chosen.dims));
}

void estimate_softplus(const ModelInput& input, Estimate& out) {
  constexpr double operations_per_score = 6;
  constexpr double bias_bytes = 4;        // a float for each expert
  constexpr double choice_bytes = 4 + 4;  // a float and a number for each chosen expert
  const Operand& scores = input.tensor(routing_scores, 2);
  const auto tokens = static_cast<double>(scores.dims[0]);
  const auto experts = static_cast<double>(scores.dims[1]);
  const auto per_token = static_cast<double>(input.tensor(routing_chosen, 2).dims[1]);
  out.flops = operations_per_score * tokens * experts;
  set_routing_precision(scores, out);
  Traffic traffic;
  traffic.add(tokens * experts, scores.type);
  traffic.add_bytes(bias_bytes * experts + choice_bytes * tokens * per_token);
  traffic.put_into(out);
  out.add_parameter("M", count_parameter(tokens));
  out.add_parameter("E", count_parameter(experts));
  out.add_parameter("topk", count_parameter(per_token));
}

void estimate_expert_routing(const ModelInput& input, Estimate& out) {
  out.quality = Quality::exact;
  out.unit = ComputeUnit::vector;
  const std::string_view form = input.choice(routing_form);
  if (form == "append") return estimate_append(input, out);
  if (form == "softplus") return estimate_softplus(input, out);
  return estimate_plain_routing(input, out);
}
}  // namespace

constinit const ModelFamily expert_routing_family = {.name = "expert_routing",
                                                     .meaning = "which experts a token is sent to",
                                                     .fields = routing_fields,
                                                     .forward = estimate_expert_routing};
}  // namespace kinetoscope::perf_model
