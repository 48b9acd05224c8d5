#include "core/perf_model/families/attention.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/perf_model/attention_pairs.hpp"
#include "core/perf_model/traffic.hpp"

namespace kinetoscope::perf_model {
namespace {

constexpr Field attention_q{"q", FieldKind::tensor, true, "queries"};
constexpr Field attention_k{"k", FieldKind::tensor, true, "keys"};
constexpr Field attention_v{"v", FieldKind::tensor, true, "values"};
constexpr Field attention_order{
    "order", FieldKind::choice, false,
    "dimensions of q, k and v: b batch, s a second one, n tokens, h heads, d size of a head", "bnhd bhnd nhd bsnhd"};
constexpr Field attention_bias{"bias", FieldKind::tensor, false, "added to the scores"};
constexpr Field attention_second_bias{"second_bias", FieldKind::tensor, false, "added to the scores, too"};
constexpr Field attention_dropout{"dropout", FieldKind::literal, false, "share of scores that is dropped"};
constexpr Field attention_causal{"causal", FieldKind::literal, false, "true: a query sees no later key"};
constexpr Field attention_causal_otherwise{"causal_otherwise", FieldKind::choice, false,
                                           "what an empty causal means; unknown: no figures", "unknown false true"};
constexpr Field attention_corner{"corner", FieldKind::choice, false, "where query and key positions meet",
                                 "bottom_right top_left"};
constexpr Field attention_window_left{"window_left", FieldKind::literal, false,
                                      "keys before its position that a query reaches, -1: all; or a list of both"};
constexpr Field attention_window_right{"window_right", FieldKind::literal, false, "keys behind it, -1: all"};
constexpr Field attention_recomputes{"recomputes_scores", FieldKind::choice, false, "of the backward work", "yes no"};
constexpr Field attention_work{"work", FieldKind::choice, false, "what the operator computes", "forward backward"};
constexpr Field attention_starts_q{"starts_q", FieldKind::tensor, false,
                                   "where each sequence of q starts, and its end: one more than sequences"};
constexpr Field attention_starts_kv{"starts_kv", FieldKind::tensor, false, "the same of k and v"};
constexpr Field attention_longest_q{"longest_q", FieldKind::literal, false, "greatest length of a sequence of q"};
constexpr Field attention_longest_kv{"longest_kv", FieldKind::literal, false, "the same of k and v"};
constexpr Field attention_parameters{"parameters", FieldKind::choice, false, "whether strides are among them",
                                     "plain with_strides"};
constexpr std::array attention_fields = {
    attention_q,          attention_k,           attention_v,
    attention_order,      attention_bias,        attention_second_bias,
    attention_dropout,    attention_causal,      attention_causal_otherwise,
    attention_corner,     attention_window_left, attention_window_right,
    attention_recomputes, attention_work,        attention_starts_q,
    attention_starts_kv,  attention_longest_q,   attention_longest_kv,
    attention_parameters,
};

struct AttentionShape {
  double batch = 1;
  double n_q = 0;
  double n_kv = 0;
  double heads_q = 0;
  double heads_kv = 0;
  double d = 0;
  double v = 0;
  std::size_t tokens_at = 0;  ///< which dimension
};

AttentionShape attention_shape(const ModelInput& input) {
  const std::string_view order = input.choice(attention_order);
  const std::size_t tokens_at = order.find('n');
  const std::size_t heads_at = order.find('h');
  const std::size_t size_at = order.find('d');
  const Operand& q = input.tensor(attention_q, order.size());
  const Operand& k = input.tensor(attention_k, order.size());
  const Operand& v = input.tensor(attention_v, order.size());
  const auto of = [](const Operand& operand, std::size_t i) { return static_cast<double>(operand.dims[i]); };
  bool fits = q.dims.size() == order.size() && k.dims.size() == order.size() && v.dims.size() == order.size();
  AttentionShape shape;
  for (std::size_t i = 0; i < order.size() && fits; ++i) {
    if (i == tokens_at || i == heads_at) {
      fits = k.dims[i] == v.dims[i];
    } else if (i == size_at) {
      fits = q.dims[i] == k.dims[i];
    } else {
      fits = q.dims[i] == k.dims[i] && q.dims[i] == v.dims[i];
      shape.batch *= of(q, i);
    }
  }
  // Heads of queries share those of keys in equal groups.
  if (fits && q.dims[heads_at] != k.dims[heads_at]) {
    fits = k.dims[heads_at] > 0 && q.dims[heads_at] % k.dims[heads_at] == 0;
  }
  if (!fits) {
    throw NoEstimate{Gap::shape_not_fitting, "q " + printed_tuple(q.dims).text + ", k " + printed_tuple(k.dims).text +
                                                 ", v " + printed_tuple(v.dims).text};
  }
  shape.n_q = of(q, tokens_at);
  shape.n_kv = of(k, tokens_at);
  shape.heads_q = of(q, heads_at);
  shape.heads_kv = of(k, heads_at);
  shape.d = of(q, size_at);
  shape.v = of(v, size_at);
  shape.tokens_at = tokens_at;
  return shape;
}

bool is_causal(const ModelInput& input) {
  if (!input.has(attention_causal)) return false;
  if (const auto causal = input.truth(attention_causal)) return *causal;
  const std::string_view otherwise = input.choice(attention_causal_otherwise);
  if (otherwise != "unknown") return otherwise == "true";
  const bool is_empty = input.literal(attention_causal).empty();
  throw NoEstimate{is_empty ? Gap::argument_not_recorded : Gap::literal_not_fitting,
                   std::string(attention_causal.name)};
}

AttentionMask attention_mask(const ModelInput& input, bool causal) {
  std::optional<std::int64_t> left;
  std::optional<std::int64_t> right = input.whole_number(attention_window_right);
  if (const auto window = input.whole_numbers(attention_window_left); window && !window->empty()) {
    left = window->front();
    if (window->size() == 2) right = window->back();
  }
  if (causal) right = 0;
  AttentionMask mask;
  if (left && *left >= 0) mask.left = left;
  if (right && *right >= 0) mask.right = right;
  if (input.choice(attention_corner) == "top_left") mask.corner = MaskCorner::top_left;
  return mask;
}

struct Sequences {
  double count_q = 1;
  double count_kv = 1;
  double longest_q = 0;
  double longest_kv = 0;
};

double sequence_count(const ModelInput& input, const Field& field) {
  const Operand& starts = input.tensor(field, 1);
  if (starts.dims[0] < 1) {
    throw NoEstimate{Gap::shape_not_fitting, std::string(field.name) + " is " + printed_tuple(starts.dims).text};
  }
  return static_cast<double>(starts.dims[0]) - 1;
}

double longest_sequence(const ModelInput& input, const Field& field) {
  if (input.literal(field).empty()) throw NoEstimate{Gap::argument_not_recorded, std::string(field.name)};
  const auto length = input.number(field);
  if (!length || *length < 0 || *length != std::floor(*length)) {
    throw NoEstimate{Gap::literal_not_fitting, std::string(field.name)};
  }
  return *length;
}

/// What all sequences of a batch item, or of a packed tensor, add up to.
struct AttentionWork {
  double pairs = 0;
  double keys_reached = 0;
  std::optional<double> most_pairs;  ///< where lengths are estimated
};

/// As many sequences of the greatest length as fit, and one of what is left.
double most_pairs_of(const AttentionShape& shape, const Sequences& sequences, const AttentionMask& mask) {
  double fitting = sequences.count_q;
  if (sequences.longest_q > 0) fitting = std::min(fitting, std::floor(shape.n_q / sequences.longest_q));
  if (sequences.longest_kv > 0) fitting = std::min(fitting, std::floor(shape.n_kv / sequences.longest_kv));
  const double rest_q = std::clamp(shape.n_q - fitting * sequences.longest_q, 0.0, sequences.longest_q);
  const double rest_kv = std::clamp(shape.n_kv - fitting * sequences.longest_kv, 0.0, sequences.longest_kv);
  return fitting * attention_pairs(sequences.longest_q, sequences.longest_kv, mask).pairs +
         attention_pairs(rest_q, rest_kv, mask).pairs;
}

AttentionWork packed_work(const ModelInput& input, const AttentionShape& shape, const AttentionMask& mask) {
  const Sequences sequences = {sequence_count(input, attention_starts_q), sequence_count(input, attention_starts_kv),
                               longest_sequence(input, attention_longest_q),
                               longest_sequence(input, attention_longest_kv)};
  const AttentionPairs longest = attention_pairs(sequences.longest_q, sequences.longest_kv, mask);
  AttentionWork work = {longest.pairs, shape.n_kv - (sequences.longest_kv - longest.keys_reached), {}};
  const double others = sequences.count_q - 1;
  if (others > 0) {
    const double others_kv = std::max(1.0, sequences.count_kv - 1);
    const double other_q = std::floor(std::max(0.0, shape.n_q - sequences.longest_q) / others);
    const double other_kv = std::floor(std::max(0.0, shape.n_kv - sequences.longest_kv) / others_kv);
    const AttentionPairs other = attention_pairs(other_q, other_kv, mask);
    work.pairs += others * other.pairs;
    work.keys_reached -= others * (other_kv - other.keys_reached);
    const bool are_equal =
        shape.n_q == sequences.count_q * sequences.longest_q && shape.n_kv == sequences.count_kv * sequences.longest_kv;
    if (!are_equal) work.most_pairs = std::max(work.pairs, most_pairs_of(shape, sequences, mask));
  }
  work.keys_reached = std::clamp(work.keys_reached, 0.0, shape.n_kv);
  return work;
}

AttentionWork attention_work_of(const ModelInput& input, const AttentionShape& shape, const AttentionMask& mask) {
  if (input.has(attention_starts_q)) return packed_work(input, shape, mask);
  const AttentionPairs found = attention_pairs(shape.n_q, shape.n_kv, mask);
  return {found.pairs, found.keys_reached, {}};
}

/// Keys or values, of which only some tokens are read.
void add_reached(Traffic& traffic, const Operand& operand, const AttentionShape& shape, double reached) {
  if (reached == shape.n_kv) {
    traffic.add(operand);
    return;
  }
  Operand part = operand;
  if (is_contiguous(operand)) part.strides.reset();
  part.dims[shape.tokens_at] = static_cast<std::int64_t>(reached);
  traffic.add(part);
}

void add_attention_parameters(const ModelInput& input, const AttentionShape& shape, bool causal, Estimate& out) {
  const Operand& q = input.tensor(attention_q);
  const Operand& k = input.tensor(attention_k);
  const auto whole = [](double number) { return static_cast<std::int64_t>(std::min(number, 9e18)); };
  out.add_parameter("B", whole(shape.batch));
  out.add_parameter("N_Q", whole(shape.n_q));
  out.add_parameter("H_Q", whole(shape.heads_q));
  out.add_parameter("N_KV", whole(shape.n_kv));
  out.add_parameter("H_KV", whole(shape.heads_kv));
  out.add_parameter("d_h_qk", whole(shape.d));
  out.add_parameter("d_h_v", whole(shape.v));
  if (input.choice(attention_parameters) == "with_strides") {
    out.add_parameter("q_stride", printed_or_none(q.strides));
    out.add_parameter("k_stride", printed_or_none(k.strides));
    out.add_parameter("v_stride", printed_or_none(input.tensor(attention_v).strides));
  }
  out.add_parameter("dropout", input.number(attention_dropout).value_or(0));
  out.add_parameter("causal", causal);
  out.add_parameter("flash_impl", input.choice(attention_recomputes) == "yes");
  out.add_parameter("dtype_A_B", printed_tuple_of_texts({q.type, k.type}));
  if (!input.has(attention_starts_q)) return;
  out.add_parameter("num_seqs_q", whole(sequence_count(input, attention_starts_q)));
  out.add_parameter("num_seqs_kv", whole(sequence_count(input, attention_starts_kv)));
  out.add_parameter("max_seqlen_q", longest_sequence(input, attention_longest_q));
  out.add_parameter("max_seqlen_kv", longest_sequence(input, attention_longest_kv));
}

double attention_flops(const ModelInput& input, const AttentionShape& shape, double pairs, bool is_backward) {
  const double products = shape.batch * shape.heads_q * pairs;
  if (!is_backward) return 2 * products * (shape.d + shape.v);
  const double recomputed = input.choice(attention_recomputes) == "yes" ? 2 * shape.d : 0;
  return products * (4 * shape.v + 4 * shape.d + recomputed) +
         shape.batch * shape.n_kv * (shape.d + shape.v) * (shape.heads_q - shape.heads_kv);
}

void estimate_attention_work(const ModelInput& input, bool is_backward, Estimate& out) {
  const AttentionShape shape = attention_shape(input);
  const bool causal = is_causal(input);
  const AttentionWork work = attention_work_of(input, shape, attention_mask(input, causal));
  const Operand& q = input.tensor(attention_q);
  const Operand& k = input.tensor(attention_k);
  const Operand& v = input.tensor(attention_v);

  out.unit = ComputeUnit::matrix;
  out.precision = precision_of(q.type);
  out.quality = Quality::exact;
  out.flops = attention_flops(input, shape, work.pairs, is_backward);
  if (work.most_pairs) {
    out.quality = Quality::lower_bound;
    out.most_flops = attention_flops(input, shape, *work.most_pairs, is_backward);
    note(out, Note::lengths_estimated);
  }

  Traffic traffic;
  traffic.add(q);
  add_reached(traffic, k, shape, work.keys_reached);
  add_reached(traffic, v, shape, work.keys_reached);
  if (is_backward) {  // gradients are written whole
    traffic.add(elements_of(q.dims), q.type);
    traffic.add(elements_of(k.dims), k.type);
    traffic.add(elements_of(v.dims), v.type);
  }
  traffic.add(shape.batch * shape.n_q * shape.heads_q * shape.v, q.type);
  traffic.add(input.find(attention_bias));
  traffic.add(input.find(attention_second_bias));
  traffic.put_into(out);
  add_attention_parameters(input, shape, causal, out);
}

void estimate_attention(const ModelInput& input, Estimate& out) {
  estimate_attention_work(input, input.choice(attention_work) == "backward", out);
}
void estimate_attention_backward(const ModelInput& input, Estimate& out) { estimate_attention_work(input, true, out); }
}  // namespace

constinit const ModelFamily attention_family = {.name = "attention",
                                                .meaning = "attention over whole sequences",
                                                .fields = attention_fields,
                                                .forward = estimate_attention,
                                                .backward = estimate_attention_backward};
}  // namespace kinetoscope::perf_model
