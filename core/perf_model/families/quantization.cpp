#include "core/perf_model/families/quantization.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/perf_model/traffic.hpp"

namespace kinetoscope::perf_model {
namespace {

constexpr Field quantization_a{"a", FieldKind::tensor, true, "the operand"};
constexpr Field quantization_out{"out", FieldKind::tensor, false, "the result, where it is an operand"};
constexpr Field quantization_scales{"scales", FieldKind::tensor, false, "the scales, where they are an operand"};
constexpr Field quantization_group{"group", FieldKind::literal, false, "values of a row that share a scale, or 128"};
constexpr Field quantization_operations{"operations", FieldKind::number, true, "operations of each value"};
constexpr Field quantization_result{"result", FieldKind::choice, false, "what is written",
                                    "recorded fp8 fp8_groups mxfp4 mxfp4_twice"};
constexpr std::array quantization_fields = {quantization_a,     quantization_out,        quantization_scales,
                                            quantization_group, quantization_operations, quantization_result};

constexpr double microscaling_block = 32;  // values that share a scale

double blocks(double values, double in_one) { return std::ceil(values / in_one); }

double group_scales(const ModelInput& input, double rows, double width) {
  constexpr std::int64_t usual_group = 128;
  const std::int64_t group = input.whole_number(quantization_group).value_or(usual_group);
  if (group < 1) throw NoEstimate{Gap::literal_not_fitting, "group"};
  return rows * std::max(1.0, blocks(width, static_cast<double>(group)));
}

/// Bytes that are written; absent where operands say them.
std::optional<double> written_bytes(const ModelInput& input, const Operand& a) {
  const std::string_view result = input.choice(quantization_result);
  const double values = elements_of(a.dims);
  const auto width = a.dims.empty() ? 1 : static_cast<double>(a.dims.back());
  const double rows = a.dims.empty() ? 1 : elements_of(Shape(a.dims.begin(), a.dims.end() - 1));
  constexpr double bytes_of_a_float = 4;
  if (result == "fp8") return values;
  if (result == "fp8_groups") return values + bytes_of_a_float * group_scales(input, rows, width);
  if (result == "mxfp4") return values / 2 + std::floor(values / microscaling_block);
  if (result == "mxfp4_twice") {
    return 2 * blocks(values, 2) + rows * blocks(width, microscaling_block) + width * blocks(rows, microscaling_block);
  }
  return {};
}

void estimate_quantization(const ModelInput& input, Estimate& out) {
  const bool is_matrix = input.choice(quantization_result) == "mxfp4_twice";
  const Operand& a = input.tensor(quantization_a, is_matrix ? 2 : 0);
  const std::optional<double> written = written_bytes(input, a);
  const Operand* const result = written ? nullptr : &input.tensor(quantization_out);
  // Of a result that is an operand its own values count, as in users' tables.
  const double values = elements_of(result != nullptr ? result->dims : a.dims);
  out.quality = Quality::exact;
  out.unit = ComputeUnit::vector;
  out.precision = precision_of(a.type);
  out.flops = input.fixed(quantization_operations, 0) * values;
  Traffic traffic;
  traffic.add(a);
  if (written) {
    traffic.add_bytes(*written);
  } else {
    traffic.add(*result);
    traffic.add(input.tensor(quantization_scales));
  }
  traffic.put_into(out);
  out.add_parameter("op_shape", printed_tuple(a.dims));
  out.add_parameter("dtype_in_out", PythonText{"(" + printed(ParameterValue(a.type)) + ", " +
                                               (result ? printed(ParameterValue(result->type)) : "None") + ")"});
  out.add_parameter("stride_input", printed_or_none(a.strides));
  out.add_parameter("stride_output", result ? printed_or_none(result->strides) : ParameterValue());
}
}  // namespace

constinit const ModelFamily quantization_family = {.name = "quantization",
                                                   .meaning = "values in fewer bits, with scales",
                                                   .fields = quantization_fields,
                                                   .forward = estimate_quantization};
}  // namespace kinetoscope::perf_model
