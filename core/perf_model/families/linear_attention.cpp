#include "core/perf_model/families/linear_attention.hpp"

#include <array>

#include "core/perf_model/step_parameters.hpp"
#include "core/perf_model/traffic.hpp"

namespace kinetoscope::perf_model {
namespace {

constexpr Field linear_attention_qkv{"qkv", FieldKind::tensor, true, "queries, keys and values of a token in a row"};
constexpr Field linear_attention_gates{"gates", FieldKind::tensor, true, "[tokens, H_V]"};
constexpr Field linear_attention_output{"output", FieldKind::tensor, true, "[tokens, H_V, v]"};
constexpr std::array linear_attention_fields = {linear_attention_qkv, linear_attention_gates, linear_attention_output};

double requests_of(const names::StepAnnotation& step) {
  if (step.context_requests && step.generation_requests) {
    return static_cast<double>(*step.context_requests) + static_cast<double>(*step.generation_requests);
  }
  return static_cast<double>(step.g_sq);  // one token each, and of prompts nothing is known
}

void estimate_linear_attention(const ModelInput& input, Estimate& out) {
  const names::StepAnnotation& step = input.step();
  const Operand& qkv = input.tensor(linear_attention_qkv, 2);
  const std::int64_t value_heads = input.tensor(linear_attention_gates, 2).dims[1];
  const std::int64_t value_size = input.tensor(linear_attention_output, 3).dims[2];
  const double tokens = static_cast<double>(step.c_sq) + static_cast<double>(step.g_sq);
  if (tokens <= 0) throw NoEstimate{Gap::not_modelled, "the step has no tokens"};
  const std::int64_t key_heads = value_heads / 2;
  const bool fits = key_heads > 0 && value_size <= qkv.dims[1] / value_heads;
  if (!fits) throw NoEstimate{Gap::shape_not_fitting, "qkv is " + printed_tuple(qkv.dims).text};
  const std::int64_t key_size = (qkv.dims[1] - value_heads * value_size) / 2 / key_heads;

  const auto heads = static_cast<double>(value_heads);
  const auto d = static_cast<double>(key_size);
  const auto v = static_cast<double>(value_size);
  out.quality = Quality::exact;
  out.unit = ComputeUnit::matrix;
  out.precision = precision_of(qkv.type);
  out.flops = 7 * tokens * heads * d * v;
  Traffic traffic;
  traffic.add(tokens * heads * (d + 2 * v + 2), qkv.type);
  traffic.add(2 * requests_of(step) * heads * d * v, qkv.type);
  traffic.put_into(out);
  if (step.c_sq > 0) {
    out.quality = Quality::lower_bound;
    note(out, Note::chunked_work_omitted);
  }

  out.add_parameter("B", std::int64_t{1});
  out.add_parameter("N_Q", qkv.dims[0]);
  out.add_parameter("H_V", value_heads);
  out.add_parameter("H_K", key_heads);
  out.add_parameter("d_h_qk", key_size);
  out.add_parameter("d_h_v", value_size);
  add_step_parameters(step, out);
  out.add_parameter("dtype_Q", qkv.type);
}
}  // namespace

constinit const ModelFamily linear_attention_family = {.name = "linear_attention",
                                                       .meaning = "linear attention of serving engines",
                                                       .fields = linear_attention_fields,
                                                       .forward = estimate_linear_attention,
                                                       .needs = context_needs({ContextNeed::step})};
}  // namespace kinetoscope::perf_model
