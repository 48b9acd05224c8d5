#include "core/perf_model/families/unfused_experts.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string>
#include <utility>

#include "core/perf_model/expert_sizes.hpp"
#include "core/perf_model/traffic.hpp"
#include "core/perf_model/value_sizes.hpp"

namespace kinetoscope::perf_model {
namespace {

constexpr Field unfused_a{"a", FieldKind::tensor, true, "the tokens, [M, K], or what the first product made of them"};
constexpr Field unfused_weights{"weights", FieldKind::tensor, false, "of this product"};
constexpr Field unfused_other{"other_weights", FieldKind::tensor, false, "of the other product, for its sizes"};
constexpr Field unfused_out{"out", FieldKind::tensor, false, "the result, where the caller passes it"};
constexpr Field unfused_routed{"routed", FieldKind::tensor, false, "a tensor whose second dimension is k"};
constexpr Field unfused_per_token{"experts_per_token", FieldKind::literal, false, "k, where no operand says it"};
constexpr Field unfused_logits{"logits", FieldKind::tensor, false, "the router's, [M, E], where weights do not say E"};
constexpr Field unfused_product{"product", FieldKind::choice, false,
                                "the first one, the second one, or either of them row by row", "up down rows"};
constexpr Field unfused_sizes{"sizes", FieldKind::choice, false,
                              "read from both weights, from this product's and the operand between the products, from "
                              "weights of two 4-bit values a byte, or from the tokens alone",
                              "both_weights own_weights byte_pairs tokens"};
constexpr Field unfused_precision{"precision", FieldKind::choice, false, "what the unit computes in",
                                  "of_a of_weights"};
constexpr std::array unfused_fields = {
    unfused_a,         unfused_weights, unfused_other,   unfused_out,   unfused_routed,
    unfused_per_token, unfused_logits,  unfused_product, unfused_sizes, unfused_precision,
};

/// The type of the weights in a kernel's name, which names all three operands: the narrowest is the weights'.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> weight_types_in_names = {{
    {"fp4", "fp4"},
    {"fp8", "fp8"},
    {"e4m3", "fp8"},
    {"bf16", "bf16"},
    {"fp16", "fp16"},
    {"f16", "fp16"},
}};
std::string_view weight_type_in(std::string_view kernel_name) {
  std::string lower(kernel_name);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto* const found = std::ranges::find_if(
      weight_types_in_names, [&](const auto& known) { return lower.find(known.first) != std::string::npos; });
  return found == weight_types_in_names.end() ? std::string_view() : found->second;
}

double unfused_dimension(const Operand& operand, std::size_t place) {
  return static_cast<double>(operand.dims.at(place));
}

void read_own_weights(const ModelInput& input, bool is_up, ExpertSizes& sizes) {
  const Operand& weights = input.tensor(unfused_weights, 2);
  sizes.experts = unfused_dimension(weights, 0);
  if (!is_up) {
    sizes.hidden = unfused_dimension(weights, 1);
    sizes.intermediate = unfused_dimension(input.tensor(unfused_a, 3), 2);
    return;
  }
  sizes.hidden = unfused_dimension(input.tensor(unfused_a, 2), 1);
  sizes.intermediate = unfused_dimension(input.tensor(unfused_out, 3), 2);
  sizes.is_gated = unfused_dimension(weights, 1) == 2 * sizes.intermediate;
}

void read_byte_pairs(const ModelInput& input, bool is_up, ExpertSizes& sizes) {
  const Operand& weights = input.tensor(unfused_weights, is_up ? 2 : 3);
  sizes.hidden = unfused_dimension(input.tensor(unfused_a, 2), 1);
  sizes.experts = unfused_dimension(weights, 0);
  if (!is_up) {
    sizes.intermediate = 2 * unfused_dimension(weights, 2);
    return;
  }
  sizes.is_gated = input.context().is_gated.value_or(true);
  sizes.intermediate = std::floor(unfused_dimension(weights, 1) / (sizes.is_gated ? 2 : 1));
}

void read_tokens(const ModelInput& input, bool is_up, ExpertSizes& sizes) {
  sizes.hidden = unfused_dimension(input.tensor(unfused_a, 2), 1);
  sizes.intermediate = sizes.hidden;
  sizes.experts = unfused_dimension(input.tensor(unfused_logits, 2), 1);
  if (!is_up) return;
  if (!input.context().is_gated) throw NoEstimate{Gap::argument_not_recorded, "is_gated"};
  sizes.is_gated = *input.context().is_gated;
}

ExpertSizes unfused_expert_sizes(const ModelInput& input, std::string_view product, std::string_view from) {
  ExpertSizes sizes;
  const bool is_up = product == "up";
  if (product == "rows") {
    const Operand& weights = input.tensor(unfused_weights, 3);
    sizes.tokens = unfused_dimension(input.tensor(unfused_routed, 2), 0);
    sizes.experts = unfused_dimension(weights, 0);
    sizes.intermediate = unfused_dimension(weights, 1);
    sizes.hidden = unfused_dimension(weights, 2);
  } else {
    sizes.tokens = unfused_dimension(input.tensor(unfused_a, 1), 0);
    if (from == "both_weights") {
      const Operand& own = input.tensor(unfused_weights, 3);
      const Operand& other = input.tensor(unfused_other, 3);
      read_both_weights(is_up ? own : other, is_up ? other : own, sizes);
      if (!is_up) sizes.is_gated = false;
    } else if (from == "own_weights") {
      read_own_weights(input, is_up, sizes);
    } else if (from == "byte_pairs") {
      read_byte_pairs(input, is_up, sizes);
    } else {
      read_tokens(input, is_up, sizes);
    }
  }
  sizes.experts_per_token = experts_per_token(input, unfused_routed, unfused_per_token);
  return sizes;
}

std::optional<Precision> precision_named_by(std::string_view type_name) {
  const ElementType* const type = find_element_type(type_name);
  return type == nullptr ? std::nullopt : type->precision;
}

/// Bytes of a value; absent where nothing says it.
std::optional<double> unfused_weight_bytes(std::string_view from, std::string_view type) {
  if (from == "byte_pairs") return 0.5;
  return from == "tokens" ? bytes_per_value(type) : bytes_per_value(type).value_or(usual_weight_bytes);
}

void estimate_unfused_experts(const ModelInput& input, Estimate& out) {
  const std::string_view product = input.choice(unfused_product);
  const std::string_view from = input.choice(unfused_sizes);
  const ExpertSizes sizes = unfused_expert_sizes(input, product, from);
  const Operand& a = input.tensor(unfused_a);
  const Operand* const weights = input.find(unfused_weights);
  const bool names_no_weights = weights == nullptr;  // then `from` is tokens: all other ways need them
  const std::string_view weight_type =
      names_no_weights ? weight_type_in(input.context().first_kernel) : std::string_view(weights->type);

  std::optional<double> a_bytes = bytes_per_value(a.type);
  if (!names_no_weights) a_bytes = a_bytes.value_or(usual_activation_bytes);
  const Operand* const result = input.find(unfused_out);
  const std::optional<double> result_bytes =
      result == nullptr ? a_bytes : bytes_per_value(result->type).value_or(usual_activation_bytes);
  const std::optional<double> weight_bytes = unfused_weight_bytes(from, weight_type);

  const double rows = sizes.tokens * sizes.experts_per_token;
  const double halves = sizes.is_gated ? 2 : 1;
  double read_values = rows * sizes.hidden;
  if (product == "up") read_values = sizes.tokens * sizes.hidden;
  if (product == "down") read_values = rows * sizes.intermediate;
  const double written_values = product == "down" ? sizes.tokens * sizes.hidden : rows * sizes.intermediate;
  const double weight_values = active_experts(sizes) * halves * sizes.intermediate * sizes.hidden;
  out.flops = 2 * rows * sizes.hidden * sizes.intermediate * halves;
  if (a_bytes && weight_bytes && result_bytes) {
    out.bytes_moved = read_values * *a_bytes + weight_values * *weight_bytes + written_values * *result_bytes;
  } else {
    out.gap = Gap::element_type_unknown;
    out.gap_detail = a_bytes ? "weights" : a.type;
  }
  const bool is_of_weights = names_no_weights || input.choice(unfused_precision) == "of_weights";
  out.precision = precision_named_by(is_of_weights ? weight_type : std::string_view(a.type));
  if (names_no_weights) note(out, Note::size_assumed);
  describe_expert_product(sizes, weight_bytes.value_or(usual_activation_bytes), out);
}
}  // namespace

constinit const ModelFamily unfused_experts_family = {.name = "unfused_experts",
                                                      .meaning = "one product of a mixture of experts",
                                                      .fields = unfused_fields,
                                                      .forward = estimate_unfused_experts};
}  // namespace kinetoscope::perf_model
