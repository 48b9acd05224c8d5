#include "core/perf_model/families/inference_attention.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/perf_model/step_parameters.hpp"
#include "core/perf_model/traffic.hpp"

namespace kinetoscope::perf_model {
namespace {

constexpr Field serving_q{"q", FieldKind::tensor, false, "queries, [tokens, heads, d]"};
constexpr Field serving_k{"k", FieldKind::tensor, false, "keys or their cache, [..., H_KV, size]"};
constexpr Field serving_v{"v", FieldKind::tensor, false, "values, whose last dimension is the size of a value"};
constexpr Field serving_cache{"cache", FieldKind::choice, false,
                              "keys and values; the same in blocks, [blocks, H_KV, ...]; one latent row for both where "
                              "there is no v; a compressed one that is no operand; or listed pairs of query and row",
                              "keys_values blocks latent compressed listed"};
constexpr Field serving_value_size{"value_size", FieldKind::number, false, "size of a value, where no operand has it"};
constexpr Field serving_value_size_literal{"value_size_literal", FieldKind::literal, false,
                                           "the same; goes before the number"};
constexpr Field serving_cache_type{"cache_type", FieldKind::choice, false,
                                   "element type of the cache, where nothing else says it", "of_k of_q"};
constexpr Field serving_tokens{"tokens", FieldKind::choice, false, "which tokens of the step the operator works on",
                               "all generation"};
constexpr Field serving_window{"window", FieldKind::literal, false, "keys of the sliding window; not above 0: none"};
constexpr Field serving_window_left{"window_left", FieldKind::literal, false,
                                    "keys before its own that a query reaches, -1: all"};
constexpr Field serving_window_size{"window_size", FieldKind::number, false, "keys of a compressed cache's window"};
constexpr Field serving_compression{"compression", FieldKind::number, false, "keys that a compressed row stands for"};
constexpr Field serving_compressed{"compressed_rows", FieldKind::choice, false,
                                   "which rows are read: none, those that an index chooses, all", "none chosen all"};
constexpr Field serving_pairs{"pairs", FieldKind::tensor, false, "list of rows, one entry a pair"};
constexpr Field serving_more_pairs{"more_pairs", FieldKind::tensor, false, "another such list"};
constexpr std::array serving_fields = {
    serving_q,           serving_k,           serving_v,
    serving_cache,       serving_value_size,  serving_value_size_literal,
    serving_cache_type,  serving_tokens,      serving_window,
    serving_window_left, serving_window_size, serving_compression,
    serving_compressed,  serving_pairs,       serving_more_pairs,
};

/// What DeepSeek-V4 models have that no argument says.
struct CompressedModel {
  std::string_view name_part;
  double chosen_rows = 0;
  double heads = 0;
};
constexpr CompressedModel pro_model = {"v4-pro", 1024, 128};
constexpr CompressedModel flash_model = {"v4-flash", 512, 64};

const CompressedModel& compressed_model(const ModelInput& input) {
  const auto is_same_letter = [](char letter, char lower) {
    return letter == lower || (letter >= 'A' && letter <= 'Z' && letter - 'A' + 'a' == lower);
  };
  const std::string_view served = input.context().served_model;
  const std::string_view part = pro_model.name_part;
  const bool is_pro =
      std::search(served.begin(), served.end(), part.begin(), part.end(), is_same_letter) != served.end();
  return is_pro ? pro_model : flash_model;
}

struct ServingShape {
  double queries = 0;
  double keys = 0;
  double heads = 0;
  double kv_heads = 1;
  double d = 0;
  double v = 0;
  bool has_one_row = false;  ///< for key and value
  std::string q_type;
  std::string kv_type;
};

const Operand& serving_queries(const ModelInput& input) {
  const Operand& q = input.tensor(serving_q, 3);
  if (q.dims.size() != 3) throw NoEstimate{Gap::shape_not_fitting, "q is " + printed_tuple(q.dims).text};
  return q;
}

std::string serving_kv_type(const ModelInput& input, const Operand& q, const Operand& k) {
  if (input.choice(serving_cache_type) == "of_q") return q.type;
  if (!input.context().kv_cache_type.empty()) return std::string(input.context().kv_cache_type);
  return k.type.empty() ? q.type : k.type;
}

/// The model's own figures; the queries, where they are recorded, go before them.
ServingShape compressed_shape(const ModelInput& input) {
  ServingShape shape;
  shape.has_one_row = true;
  shape.heads = compressed_model(input).heads;
  shape.d = input.fixed(serving_value_size, 0);
  shape.q_type = "c10::BFloat16";
  if (input.find(serving_q) != nullptr) {
    const Operand& q = serving_queries(input);
    shape.queries = static_cast<double>(q.dims[0]);
    shape.heads = static_cast<double>(q.dims[1]);
    shape.d = static_cast<double>(q.dims[2]);
    if (!q.type.empty()) shape.q_type = q.type;
  }
  if (input.context().query_heads) shape.heads = static_cast<double>(*input.context().query_heads);
  shape.v = shape.d;
  const std::string_view known = input.context().kv_cache_type;
  shape.kv_type = known.empty() ? "c10::BFloat16" : std::string(known);
  return shape;
}

double serving_value_dimension(const ModelInput& input, const Operand& k, double d) {
  if (input.find(serving_v) != nullptr) return static_cast<double>(input.tensor(serving_v, 1).dims.back());
  const auto given = input.whole_number(serving_value_size_literal);
  if (given && *given > 0) return static_cast<double>(*given);
  if (input.has(serving_value_size)) return input.fixed(serving_value_size, 0);
  // A row of 576 is a latent of 512 and a rotated key of 64; values are the latent alone.
  constexpr double latent_row = 576;
  constexpr double latent_values = 512;
  const bool is_latent = input.choice(serving_cache) == "latent";
  return is_latent && d == latent_row ? latent_values : static_cast<double>(k.dims.back());
}

ServingShape serving_shape(const ModelInput& input) {
  const std::string_view cache = input.choice(serving_cache);
  if (cache == "compressed") return compressed_shape(input);
  const Operand& q = serving_queries(input);
  const Operand& k = input.tensor(serving_k, cache == "blocks" ? 2 : 3);
  ServingShape shape;
  shape.queries = static_cast<double>(q.dims[0]);
  shape.heads = static_cast<double>(q.dims[1]);
  shape.d = static_cast<double>(q.dims[2]);
  shape.q_type = q.type;
  shape.kv_type = serving_kv_type(input, q, k);
  if (cache == "blocks") {
    shape.keys = static_cast<double>(k.dims[0]);
    shape.kv_heads = static_cast<double>(k.dims[1]);
    shape.v = shape.d;
    return shape;
  }
  shape.keys = static_cast<double>(k.dims[k.dims.size() - 3]);
  shape.kv_heads = static_cast<double>(k.dims[k.dims.size() - 2]);
  shape.v = serving_value_dimension(input, k, shape.d);
  shape.has_one_row = cache == "latent" && input.find(serving_v) == nullptr;
  return shape;
}

/// Keys that a query reaches at most.
struct ServingWindow {
  std::optional<double> keys;
  bool is_stated = false;  ///< by the operator or its arguments, be it that there is none
};

ServingWindow serving_window_of(const ModelInput& input, const names::StepAnnotation& step) {
  if (input.has(serving_window)) {
    const auto window = input.whole_number(serving_window);
    if (window && *window > 0) return {static_cast<double>(*window), true};
    return {{}, true};
  }
  if (const auto left = input.whole_number(serving_window_left)) {
    if (*left >= 0) return {static_cast<double>(*left) + 1, true};
    return {{}, true};
  }
  if (!input.has(serving_window_size)) return {};
  const double window = input.fixed(serving_window_size, 0);
  const std::string_view rows = input.choice(serving_compressed);
  if (rows == "none" || step.g_sq <= 0) return {window, true};
  // Of the lengths only their mean is known, and rounding up and choosing go by each request.
  const double mean_keys = static_cast<double>(step.g_sk) / static_cast<double>(step.g_sq);
  const double compressed = std::ceil(mean_keys / std::max(1.0, input.fixed(serving_compression, 1)));
  return {window + (rows == "chosen" ? std::min(compressed, compressed_model(input).chosen_rows) : compressed), false};
}

void add_serving_parameters(const ModelInput& input, const ServingShape& shape, const names::StepAnnotation& step,
                            const ServingWindow& window, Estimate& out) {
  const auto whole = [](double number) { return static_cast<std::int64_t>(std::min(number, 9e18)); };
  const bool is_cache_of_requests =
      shape.keys == 0 || input.choice(serving_cache_type) == "of_q" || input.choice(serving_cache) == "blocks";
  const double keys =
      is_cache_of_requests ? static_cast<double>(step.c_sk) + static_cast<double>(step.g_sk) : shape.keys;
  out.add_parameter("B", std::int64_t{1});
  out.add_parameter("N_Q", whole(shape.queries));
  out.add_parameter("H_Q", whole(shape.heads));
  out.add_parameter("H_V", whole(shape.kv_heads));
  out.add_parameter("H_K", whole(shape.kv_heads));
  out.add_parameter("N_KV", whole(keys));
  out.add_parameter("H_KV", whole(shape.kv_heads));
  out.add_parameter("d_h_qk", whole(shape.d));
  out.add_parameter("d_h_v", whole(shape.v));
  out.add_parameter("dropout", 0.0);
  out.add_parameter("causal", false);
  out.add_parameter("flash_impl", true);
  add_step_parameters(step, out);
  out.add_parameter("dtype_Q", shape.q_type);
  if (input.choice(serving_cache_type) != "of_q") out.add_parameter("dtype_KV", shape.kv_type);
  if (window.keys) out.add_parameter("sliding_window", whole(*window.keys));
}

/// The step as the operator works on it.
names::StepAnnotation serving_step(const ModelInput& input) {
  names::StepAnnotation step = input.step();
  if (input.choice(serving_tokens) == "generation") step.c_sq = step.c_sk = step.c_sqsq = step.c_sqsk = 0;
  if (step.c_sq <= 0 && step.g_sq <= 0) throw NoEstimate{Gap::not_modelled, "the step has no tokens for it"};
  return step;
}

void estimate_listed_pairs(const ModelInput& input, Estimate& out) {
  const Operand& q = serving_queries(input);
  const Operand& k = input.tensor(serving_k);
  const double pairs = static_cast<double>(input.tensor(serving_pairs, 1).dims[0]) +
                       static_cast<double>(input.tensor(serving_more_pairs, 1).dims[0]);
  const auto heads = static_cast<double>(q.dims[1]);
  const auto d = static_cast<double>(q.dims[2]);
  out.quality = Quality::exact;
  out.flops = 4 * pairs * heads * d;
  Traffic traffic;
  traffic.add(2 * elements_of(q.dims), q.type);
  traffic.add(pairs * d, serving_kv_type(input, q, k));
  traffic.put_into(out);
  out.add_parameter("B", std::int64_t{1});
  out.add_parameter("N_Q", q.dims[0]);
  out.add_parameter("H_Q", q.dims[1]);
  out.add_parameter("H_KV", std::int64_t{1});
  out.add_parameter("d_h_qk", q.dims[2]);
  out.add_parameter("d_h_v", q.dims[2]);
  out.add_parameter("dtype_Q", q.type);
  out.add_parameter("dtype_KV", serving_kv_type(input, q, k));
}

void estimate_steps_of_requests(const ModelInput& input, Estimate& out) {
  const names::StepAnnotation step = serving_step(input);
  const ServingShape shape = serving_shape(input);
  const ServingWindow window = serving_window_of(input, step);
  const auto context_tokens = static_cast<double>(step.c_sq);
  const auto generated_tokens = static_cast<double>(step.g_sq);
  double twice_context_pairs = 2 * static_cast<double>(step.c_sqsk) - static_cast<double>(step.c_sqsq);
  auto generation_pairs = static_cast<double>(step.g_sqsk);
  auto generation_keys = static_cast<double>(step.g_sk);
  if (window.keys) {
    twice_context_pairs = std::min(twice_context_pairs, 2 * context_tokens * *window.keys);
    if (generated_tokens > 0) {
      generation_pairs = std::min(generation_pairs, generated_tokens * *window.keys);
      generation_keys = std::min(generation_keys, generated_tokens * *window.keys);
    }
  }

  out.quality = window.is_stated && !(window.keys && context_tokens > 0) ? Quality::exact : Quality::average_case;
  if (!window.is_stated && !window.keys) note(out, Note::window_unknown);
  const double row = shape.d + shape.v;
  out.flops = shape.heads * row * twice_context_pairs + 2 * shape.heads * row * generation_pairs;
  Traffic traffic;
  const double tokens = context_tokens + generated_tokens;
  const double keys = static_cast<double>(step.c_sk) + generation_keys;
  if (shape.has_one_row) {
    traffic.add(tokens * shape.heads * row, shape.q_type);
    traffic.add(keys * shape.kv_heads * shape.d, shape.kv_type);
  } else {
    traffic.add(tokens * (shape.heads + shape.kv_heads) * row, shape.q_type);
    traffic.add(std::max(0.0, keys - tokens) * shape.kv_heads * row, shape.kv_type);
  }
  traffic.put_into(out);
  add_serving_parameters(input, shape, step, window, out);
}

void estimate_inference_attention(const ModelInput& input, Estimate& out) {
  if (input.choice(serving_cache) == "listed") {
    estimate_listed_pairs(input, out);
  } else {
    estimate_steps_of_requests(input, out);
  }
  out.unit = ComputeUnit::matrix;
  const Operand* const q = input.find(serving_q);
  const ElementType* const type = find_element_type(q != nullptr ? std::string_view(q->type) : "c10::BFloat16");
  if (type != nullptr) out.precision = type->precision;
}
}  // namespace

constinit const ModelFamily inference_attention_family = {
    .name = "inference_attention",
    .meaning = "attention of serving engines over a cache",
    .fields = serving_fields,
    .forward = estimate_inference_attention,
    .needs = context_needs({ContextNeed::step, ContextNeed::pseudo_operator})};
}  // namespace kinetoscope::perf_model
