#include "core/perf_model/families/gemm.hpp"

#include <array>
#include <cmath>
#include <utility>

#include "core/perf_model/traffic.hpp"

namespace kinetoscope::perf_model {
namespace {

constexpr Field gemm_a{"a", FieldKind::tensor, true, "left operand, [..., M, K]"};
constexpr Field gemm_b{"b", FieldKind::tensor, true, "right operand"};
constexpr Field gemm_bias{"bias", FieldKind::tensor, false, "added to each row of the result"};
constexpr Field gemm_bias_when{"bias_when", FieldKind::literal, false, "the bias counts only where this is not empty"};
constexpr Field gemm_addend{"addend", FieldKind::tensor, false, "added to the result, of any shape that fits it"};
constexpr Field gemm_beta{"beta", FieldKind::literal, false, "factor of the addend; 0: it is not read"};
constexpr Field gemm_out{"out", FieldKind::tensor, false, "the result, where the caller passes it"};
constexpr Field gemm_output_type{"output_type", FieldKind::literal, false, "the result's type, by PyTorch's number"};
constexpr Field gemm_output{"output", FieldKind::choice, false, "the result's type where none is recorded",
                            "as_a as_b as_bias half_width bf16 int32"};
constexpr Field gemm_order{"order_b", FieldKind::choice, false, "how B is stored", "kn nk"};
constexpr Field gemm_batch{
    "batch", FieldKind::choice, false,
    "where the batch stands: nowhere (dimensions before K are M), in front, or in front of B and "
    "in front of or behind M in A",
    "none leading of_b"};
constexpr Field gemm_transpose_a{"transpose_a", FieldKind::literal, false, "true: A is [K, M]"};
constexpr Field gemm_transpose_b{"transpose_b", FieldKind::literal, false, "true: B is [N, K]"};
constexpr Field gemm_transpose_out{"transpose_out", FieldKind::literal, false, "true: the result is that of B^T A^T"};
constexpr Field gemm_plain_a{"plain_a", FieldKind::literal, false, "anything but true: A is [K, M]"};
constexpr Field gemm_plain_b{"plain_b", FieldKind::literal, false, "anything but true: B is [N, K]"};
constexpr Field gemm_scale_a{"scale_a", FieldKind::tensor, false, "scales of A"};
constexpr Field gemm_scale_b{"scale_b", FieldKind::tensor, false, "scales of B"};
constexpr Field gemm_scale_block{"scale_block", FieldKind::number, false,
                                 "values along K that share a scale, whose bytes count then"};
constexpr Field gemm_packed_a{"packed_a", FieldKind::number, false, "values in a stored element of A, along K"};
constexpr Field gemm_precision{"precision", FieldKind::choice, false,
                               "what the unit computes in; fp8: what bytes without a sign hold", "of_a of_b fp4 fp8"};
constexpr std::array gemm_fields = {
    gemm_a,           gemm_b,           gemm_bias,          gemm_bias_when, gemm_addend,  gemm_beta,
    gemm_out,         gemm_output_type, gemm_output,        gemm_order,     gemm_batch,   gemm_transpose_a,
    gemm_transpose_b, gemm_plain_a,     gemm_transpose_out, gemm_plain_b,   gemm_scale_a, gemm_scale_b,
    gemm_scale_block, gemm_packed_a,    gemm_precision,
};

struct GemmShape {
  double batch = 1;
  double m = 0;
  double n = 0;
  double k = 0;
};

std::int64_t from_end(const Operand& operand, std::size_t place) { return operand.dims[operand.dims.size() - place]; }

double values_per_element(const ModelInput& input, const Operand& a) {
  const ElementType* const type = find_element_type(a.type);
  return input.fixed(gemm_packed_a, type == nullptr ? 1 : static_cast<double>(type->values_per_byte));
}

/// Two matrices whose literals say how they lie.
GemmShape transposed_shape(const ModelInput& input, const Operand& a, const Operand& b) {
  bool transposes_a = input.truth(gemm_transpose_a).value_or(false);
  bool transposes_b = input.truth(gemm_transpose_b).value_or(false);
  if (input.has(gemm_plain_a)) transposes_a = !input.truth(gemm_plain_a).value_or(false);
  if (input.has(gemm_plain_b)) transposes_b = !input.truth(gemm_plain_b).value_or(false);
  const Operand* left = &a;
  const Operand* right = &b;
  if (input.truth(gemm_transpose_out).value_or(false)) {
    std::swap(left, right);
    transposes_a = !std::exchange(transposes_b, !transposes_a);
  }
  GemmShape shape;
  shape.m = static_cast<double>(left->dims[transposes_a ? 1 : 0]);
  shape.k = static_cast<double>(left->dims[transposes_a ? 0 : 1]) * values_per_element(input, *left);
  shape.n = static_cast<double>(right->dims[transposes_b ? 0 : 1]);
  return shape;
}

GemmShape gemm_shape(const ModelInput& input) {
  const Operand& a = input.tensor(gemm_a, 2);
  const Operand& b = input.tensor(gemm_b, 2);
  if (input.has(gemm_transpose_a) || input.has(gemm_plain_a)) return transposed_shape(input, a, b);
  GemmShape shape;
  shape.k = static_cast<double>(from_end(a, 1)) * values_per_element(input, a);
  // Who writes [N, K] may be wrong about an older form of the operator: the side that fits K says.
  const bool is_nk =
      input.choice(gemm_order) == "nk" && (from_end(b, 1) == from_end(a, 1) || from_end(b, 2) != from_end(a, 1));
  const bool is_plain = !is_nk && !input.has(gemm_packed_a) && values_per_element(input, a) == 1;
  if (is_plain && from_end(b, 2) != from_end(a, 1)) {
    throw NoEstimate{Gap::shape_not_fitting, "b is " + printed_tuple(b.dims).text};
  }
  shape.n = static_cast<double>(from_end(b, is_nk ? 2 : 1));
  const std::string_view batch = input.choice(gemm_batch);
  const double rows = elements_of(a.dims) / static_cast<double>(std::max<std::int64_t>(from_end(a, 1), 1));
  if (batch == "leading") {
    shape.m = static_cast<double>(from_end(a, 2));
    shape.batch = shape.m == 0 ? 0 : rows / shape.m;
  } else if (batch == "of_b") {
    if (a.dims.size() != 3) throw NoEstimate{Gap::shape_not_fitting, "a is " + printed_tuple(a.dims).text};
    shape.batch = static_cast<double>(b.dims.front());
    shape.m = static_cast<double>(a.dims[a.dims[0] == b.dims.front() ? 1 : 0]);
  } else {
    shape.m = rows;
  }
  return shape;
}

/// Bytes of an element of the result; absent when its type is not known.
std::optional<double> output_bytes(const ModelInput& input, Estimate& out) {
  const auto bytes_of = [](const ElementType* type) {
    return type == nullptr ? std::optional<double>() : static_cast<double>(type->bytes);
  };
  if (const Operand* const given = input.find(gemm_out)) return bytes_of(find_element_type(given->type));
  if (const auto number = input.whole_number(gemm_output_type)) return bytes_of(find_scalar_type(*number));
  const ElementType* const a = find_element_type(input.tensor(gemm_a).type);
  const std::string_view rule = input.choice(gemm_output);
  const Operand* const bias = input.find(gemm_bias);
  if (rule == "bf16") return 2;
  if (rule == "int32") return 4;
  if (rule == "half_width") {  // quantised operands give a result of half precision
    note(out, Note::output_type_assumed);
    return a != nullptr && a->bytes == 1 ? std::optional<double>(2) : bytes_of(a);
  }
  if (rule == "as_bias" && bias != nullptr) return bytes_of(find_element_type(bias->type));
  if (rule == "as_b" || rule == "as_bias") return bytes_of(find_element_type(input.tensor(gemm_b).type));
  return bytes_of(a);
}

/// A tensor of N elements: older forms of some operators have scales at its place.
const Operand* bias_of(const ModelInput& input, const GemmShape& shape) {
  const Operand* const bias = input.find(gemm_bias);
  if (bias == nullptr || bias->dims.empty() || elements_of(bias->dims) != shape.n) return nullptr;
  if (input.has(gemm_bias_when) && input.literal(gemm_bias_when).empty()) return nullptr;
  return bias;
}

void add_scales(const ModelInput& input, const GemmShape& shape, Traffic& traffic, Estimate& out) {
  if (!input.has(gemm_scale_a) && !input.has(gemm_scale_b)) return;
  const Operand* const scale_a = input.find(gemm_scale_a);
  const Operand* const scale_b = input.find(gemm_scale_b);
  const double block = input.fixed(gemm_scale_block, 0);
  if (block > 0) {
    const double scales = std::ceil(shape.k / block);
    const auto add = [&](double rows, const Operand* scale) {
      if (scale == nullptr || scale->type.empty()) {
        traffic.add_bytes(rows * scales);
      } else {
        traffic.add(rows * scales, scale->type);
      }
    };
    add(shape.m, scale_a);
    add(shape.n, scale_b);
    return;
  }
  const Operand* const bias = bias_of(input, shape);
  const auto is_large = [&](const Operand* scale) {
    return scale != nullptr && scale != bias && elements_of(scale->dims) > 1;
  };
  if (is_large(scale_a) || is_large(scale_b)) {
    note(out, Note::scales_not_counted);
    out.quality = Quality::lower_bound;
  }
}

std::optional<Precision> gemm_precision_of(const ModelInput& input) {
  const std::string_view rule = input.choice(gemm_precision);
  if (rule == "fp4") return Precision::fp4;
  const ElementType* const type = find_element_type(input.tensor(rule == "of_b" ? gemm_b : gemm_a).type);
  if (type == nullptr) return {};
  return rule == "fp8" && type->is_raw_bytes ? Precision::fp8 : type->precision;
}

void add_parameters(const ModelInput& input, const GemmShape& shape, bool has_bias, Estimate& out) {
  const Operand& a = input.tensor(gemm_a);
  const Operand& b = input.tensor(gemm_b);
  const bool is_batched = input.choice(gemm_batch) != "none";
  if (is_batched) out.add_parameter("B", count_parameter(shape.batch));
  out.add_parameter("M", count_parameter(shape.m));
  out.add_parameter("N", count_parameter(shape.n));
  out.add_parameter("K", count_parameter(shape.k));
  out.add_parameter("bias", has_bias);
  out.add_parameter("stride_A", printed_or_none(a.strides));
  out.add_parameter("stride_B", printed_or_none(b.strides));
  out.add_parameter("dtype_A_B", printed_tuple_of_texts({a.type, b.type}));
  if (!is_batched) out.add_parameter("B", std::int64_t{1});
  if (const std::optional<OperandOrder>& order = input.context().operand_order) {
    const auto truth = [](const std::optional<bool>& value) {
      return value ? printed(ParameterValue(*value)) : std::string("None");
    };
    out.add_parameter("transpose",
                      PythonText{"(" + truth(order->is_a_transposed) + ", " + truth(order->is_b_transposed) + ")"});
  }
}

void estimate_gemm(const ModelInput& input, Estimate& out) {
  const GemmShape shape = gemm_shape(input);
  const Operand* const bias = bias_of(input, shape);
  const Operand* addend = input.find(gemm_addend);
  if (addend != nullptr && input.number(gemm_beta) == 0) addend = nullptr;

  out.quality = Quality::exact;
  out.unit = ComputeUnit::matrix;
  out.precision = gemm_precision_of(input);
  const double results = shape.batch * shape.m * shape.n;
  out.flops = 2 * results * shape.k + (bias != nullptr ? results : 0) + (addend != nullptr ? results : 0);

  Traffic traffic;
  traffic.add(input.tensor(gemm_a));
  traffic.add(input.tensor(gemm_b));
  traffic.add(bias);
  traffic.add(addend);
  add_scales(input, shape, traffic, out);
  if (const std::optional<double> bytes = output_bytes(input, out)) {
    traffic.add_bytes(results * *bytes);
  } else {
    traffic.add(results, input.tensor(gemm_a).type);
  }
  traffic.put_into(out);
  add_parameters(input, shape, bias != nullptr || input.has(gemm_addend), out);
}
}  // namespace

constinit const ModelFamily gemm_family = {.name = "gemm",
                                           .meaning = "matrix products",
                                           .fields = gemm_fields,
                                           .forward = estimate_gemm,
                                           .needs = context_needs({ContextNeed::operand_order})};
}  // namespace kinetoscope::perf_model
