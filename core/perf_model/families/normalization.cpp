#include "core/perf_model/families/normalization.hpp"

#include <algorithm>
#include <array>

#include "core/perf_model/families/norm_parameters.hpp"
#include "core/perf_model/literals.hpp"
#include "core/perf_model/traffic.hpp"

namespace kinetoscope::perf_model {
namespace {

constexpr Field norm_a{"a", FieldKind::tensor, true, "the operand that is normalized, [N, C, ...]"};
constexpr Field norm_gradient{"gradient", FieldKind::tensor, false, "of backward operators: the result's gradient"};
constexpr Field norm_weight{"weight", FieldKind::tensor, false, "factor of each channel"};
constexpr Field norm_bias{"bias", FieldKind::tensor, false, "summand of each channel"};
constexpr Field norm_running{"running", FieldKind::tensor, false, "running mean, which training updates"};
constexpr Field norm_groups{"groups", FieldKind::literal, false, "number of groups that channels are cut into"};
constexpr Field norm_shape{"shape", FieldKind::literal, false, "the last dimensions, over which statistics are taken"};
constexpr Field norm_training{"training", FieldKind::literal, false,
                              "true: statistics are those of the operand; without the field they always are"};
constexpr Field norm_mask{"mask", FieldKind::literal, false, "gradients asked for: operand, weight, bias"};
constexpr Field norm_kind{"kind", FieldKind::choice, false, "what shares a statistic",
                          "batch instance group layer rms"};
constexpr Field norm_work{"work", FieldKind::choice, false, "which way the operator goes", "forward backward"};
constexpr std::array norm_fields = {norm_a,     norm_gradient, norm_weight, norm_bias, norm_running, norm_groups,
                                    norm_shape, norm_training, norm_mask,   norm_kind, norm_work};

struct NormCall {
  const Operand& a;
  bool is_rms = false;
  bool is_training = true;
  bool has_weight = false;
  bool has_bias = false;
  double elements = 0;
  double channels = 0;
  double statistics = 0;
};

bool is_given(const Operand* operand) {
  return operand != nullptr && !operand->dims.empty() && elements_of(operand->dims) > 0;
}

/// Channels and statistics where the last dimensions share one.
void size_by_last_dimensions(const ModelInput& input, NormCall& call) {
  const auto last = input.whole_numbers(norm_shape);
  if (!last) {
    const Gap gap = input.literal(norm_shape).empty() ? Gap::argument_not_recorded : Gap::literal_not_fitting;
    throw NoEstimate{gap, "shape"};
  }
  const Shape& dims = call.a.dims;
  if (last->empty() || last->size() > dims.size() || !std::equal(last->rbegin(), last->rend(), dims.rbegin())) {
    throw NoEstimate{Gap::literal_not_fitting, "shape"};
  }
  call.channels = elements_of(*last);
  call.statistics = 1;
  for (std::size_t i = 0; i + last->size() < dims.size(); ++i) call.statistics *= static_cast<double>(dims[i]);
}

void size_by_channels(const ModelInput& input, std::string_view kind, NormCall& call) {
  const auto batch = static_cast<double>(call.a.dims[0]);
  call.channels = static_cast<double>(call.a.dims[1]);
  if (kind == "batch") {
    call.statistics = call.channels;
  } else if (kind == "instance") {
    call.statistics = batch * call.channels;
  } else {
    const auto groups = input.whole_number(norm_groups);
    if (!groups) {
      const Gap gap = input.literal(norm_groups).empty() ? Gap::argument_not_recorded : Gap::literal_not_fitting;
      throw NoEstimate{gap, "groups"};
    }
    if (*groups < 1) throw NoEstimate{Gap::literal_not_fitting, "groups"};
    call.statistics = batch * static_cast<double>(*groups);
  }
}

NormCall norm_call(const ModelInput& input, Estimate& out) {
  const std::string_view kind = input.choice(norm_kind);
  const bool is_by_last = kind == "layer" || kind == "rms";
  NormCall call{.a = input.tensor(norm_a, is_by_last ? 1 : 2)};
  call.is_rms = kind == "rms";
  call.elements = elements_of(call.a.dims);
  if (is_by_last) {
    size_by_last_dimensions(input, call);
  } else {
    size_by_channels(input, kind, call);
  }
  if (input.has(norm_training)) call.is_training = input.truth(norm_training).value_or(false);
  call.has_weight = is_given(input.find(norm_weight));
  call.has_bias = is_given(input.find(norm_bias));
  out.quality = Quality::exact;
  out.unit = ComputeUnit::vector;
  out.precision = precision_of(call.a.type);
  return call;
}

void estimate_norm_forward(const ModelInput& input, Estimate& out) {
  const NormCall call = norm_call(input, out);
  const double e = call.elements;
  const double c = call.channels;
  const double s = call.statistics;
  const bool updates = call.is_training && is_given(input.find(norm_running));
  out.flops =
      call.is_rms ? s * (2 * c + 2) + (call.has_weight ? 2 * e : e) : 6 * s + (call.is_training ? 5 * e : 2 * e);

  Traffic traffic;
  traffic.add(call.a);
  traffic.add(e, call.a.type);
  traffic.add(call.is_rms ? s : 2 * s, call.a.type);
  traffic.add(c * ((call.has_weight ? 1 : 0) + (call.has_bias ? 1 : 0) + (updates ? 2 : 0)), call.a.type);
  traffic.put_into(out);
  add_norm_parameters(call.a, {c, call.has_bias, call.has_weight, call.is_training && !call.is_rms}, out);
}

/// The gradients that a backward call is asked for.
struct AskedFor {
  bool a = true;
  bool weight = true;
  bool bias = true;
};

AskedFor asked_for(const ModelInput& input) {
  AskedFor asked;
  const std::string_view literal = input.literal(norm_mask);
  if (literal.empty()) return asked;
  const auto mask = truths_in(literal);
  if (!mask) throw NoEstimate{Gap::literal_not_fitting, "mask"};
  if (!mask->empty()) asked.a = (*mask)[0];
  if (mask->size() > 1) asked.weight = (*mask)[1];
  if (mask->size() > 2) asked.bias = (*mask)[2];
  return asked;
}

double backward_flops(const NormCall& call, const AskedFor& asked) {
  const double e = call.elements;
  if (call.is_rms) {
    double flops = call.has_weight ? 2 * e : e;
    if (asked.a) flops += 6 * e;
    if (asked.weight && call.has_weight) flops += call.statistics > 1 ? 2 * e : e;
    return flops;
  }
  const double of_operand = asked.a ? (call.is_training ? 5 * e : 0) : 2 * e;
  return 4 * e + of_operand + (call.is_training ? 0 : 3 * call.channels);
}

void estimate_norm_backward(const ModelInput& input, Estimate& out) {
  const NormCall call = norm_call(input, out);
  AskedFor asked = asked_for(input);
  if (input.has(norm_bias) && !call.has_bias) asked.bias = false;
  if (call.is_rms) asked.bias = false;
  const std::string& type = call.a.type;
  out.flops = backward_flops(call, asked);

  Traffic traffic;
  if (input.has(norm_gradient)) {
    traffic.add(input.tensor(norm_gradient));
  } else {
    traffic.add(call.elements, type);
  }
  const bool needs_both = call.is_rms || (asked.a && call.is_training);
  if (needs_both || !asked.a) traffic.add(call.a);
  if (needs_both || asked.a) traffic.add(call.elements, type);
  if (call.is_training) traffic.add(call.statistics, type);
  if (call.has_weight) {
    const bool writes_weight = call.is_training && asked.weight;
    const bool writes_bias = call.is_training && asked.bias;
    traffic.add(call.channels * (1 + (writes_weight ? 1 : 0) + (writes_bias ? 1 : 0)), type);
  }
  traffic.put_into(out);
  std::vector<bool> mask = {asked.a, asked.weight};
  if (!call.is_rms) mask.push_back(asked.bias);
  add_norm_parameters(call.a, {call.channels, asked.bias, call.has_weight, call.is_training && !call.is_rms, mask},
                      out);
}

void estimate_norm(const ModelInput& input, Estimate& out) {
  if (input.choice(norm_work) == "backward") return estimate_norm_backward(input, out);
  estimate_norm_forward(input, out);
}
}  // namespace

constinit const ModelFamily normalization_family = {.name = "normalization",
                                                    .meaning = "batch, instance, group, layer and RMS normalization",
                                                    .fields = norm_fields,
                                                    .forward = estimate_norm,
                                                    .backward = estimate_norm_backward};
}  // namespace kinetoscope::perf_model
