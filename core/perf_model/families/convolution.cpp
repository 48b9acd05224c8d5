#include "core/perf_model/families/convolution.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/perf_model/literals.hpp"
#include "core/perf_model/traffic.hpp"

namespace kinetoscope::perf_model {
namespace {

constexpr Field convolution_input{"input", FieldKind::tensor, true, "what is convolved, [N, C, spatial...]"};
constexpr Field convolution_filters{"filters", FieldKind::tensor, true,
                                    "[C out, C in / groups, kernel...]; transposed: [C in, C out / groups, kernel...]"};
constexpr Field convolution_bias{"bias", FieldKind::tensor, false, "added to each channel of the output"};
constexpr Field convolution_bias_is{"bias_is", FieldKind::choice, false,
                                    "there where an operand is recorded, or always", "recorded always"};
constexpr Field convolution_stride{"stride", FieldKind::literal, false, "one number or one a dimension; empty: 1"};
constexpr Field convolution_padding{"padding", FieldKind::literal, false, "the same; empty: 0"};
constexpr Field convolution_dilation{"dilation", FieldKind::literal, false, "the same; empty: 1"};
constexpr Field convolution_output_padding{"output_padding", FieldKind::literal, false, "the same; empty: 0"};
constexpr Field convolution_transposed{"transposed", FieldKind::literal, false, "true: a transposed convolution"};
constexpr Field convolution_groups{"groups", FieldKind::literal, false, "groups of channels"};
constexpr Field convolution_work{"work", FieldKind::choice, false, "what the operator computes", "forward backward"};
constexpr Field convolution_grad{"grad_output", FieldKind::tensor, false, "gradient of the output"};
constexpr Field convolution_mask{"output_mask", FieldKind::literal, false,
                                 "which gradients are wanted: of input, filters, bias; empty: all"};
constexpr Field convolution_bias_sizes{"bias_sizes", FieldKind::literal, false,
                                       "of a backward operator: shape of the bias; empty or [0]: none"};
constexpr Field convolution_arguments{"arguments_of", FieldKind::choice, false,
                                      "the call whose arguments the fields are", "call forward_call"};
constexpr std::array convolution_fields = {
    convolution_input,      convolution_filters,    convolution_bias,      convolution_bias_is,
    convolution_stride,     convolution_padding,    convolution_dilation,  convolution_output_padding,
    convolution_transposed, convolution_groups,     convolution_work,      convolution_grad,
    convolution_mask,       convolution_bias_sizes, convolution_arguments,
};

struct ConvolutionShape {
  Shape stride;
  Shape padding;
  Shape dilation;
  Shape output_padding;
  bool is_transposed = false;
  std::int64_t groups = 1;
  Shape output;
};

[[noreturn]] void refuse_convolution_literal(const Field& field) {
  throw NoEstimate{Gap::literal_not_fitting, std::string(field.name)};
}

/// One number for each spatial dimension.
Shape one_a_dimension(const ModelInput& input, const Field& field, std::size_t dimensions, std::int64_t otherwise,
                      std::int64_t least) {
  Shape given;
  if (!input.literal(field).empty()) {
    auto read = input.whole_numbers(field);
    if (!read) refuse_convolution_literal(field);
    given = std::move(*read);
  }
  if (given.empty()) given.assign(1, otherwise);
  if (given.size() == 1) given.resize(dimensions, given.front());
  const bool is_too_small = std::ranges::any_of(given, [&](std::int64_t number) { return number < least; });
  if (given.size() != dimensions || is_too_small) refuse_convolution_literal(field);
  return given;
}

double output_size(const ConvolutionShape& shape, std::size_t i, std::int64_t in, std::int64_t kernel) {
  const auto number = [&](const Shape& list) { return static_cast<double>(list[i]); };
  const double extent = number(shape.dilation) * (static_cast<double>(kernel) - 1) + 1;
  const auto size = static_cast<double>(in);
  if (shape.is_transposed) {
    return (size - 1) * number(shape.stride) - 2 * number(shape.padding) + extent + number(shape.output_padding);
  }
  return std::floor((size + 2 * number(shape.padding) - extent) / number(shape.stride)) + 1;
}

void read_form(const ModelInput& input, ConvolutionShape& shape) {
  if (input.has(convolution_transposed)) {
    if (input.literal(convolution_transposed).empty()) {
      throw NoEstimate{Gap::argument_not_recorded, std::string(convolution_transposed.name)};
    }
    const auto transposed = input.truth(convolution_transposed);
    if (!transposed) refuse_convolution_literal(convolution_transposed);
    shape.is_transposed = *transposed;
  }
  if (!input.has(convolution_groups)) return;
  if (input.literal(convolution_groups).empty()) {
    throw NoEstimate{Gap::argument_not_recorded, std::string(convolution_groups.name)};
  }
  shape.groups = input.whole_number(convolution_groups).value_or(0);
  if (shape.groups < 1) refuse_convolution_literal(convolution_groups);
}

ConvolutionShape convolution_shape(const ModelInput& input) {
  const Operand& x = input.tensor(convolution_input, 3);
  const Operand& filters = input.tensor(convolution_filters, 3);
  const auto refuse = [&] {
    throw NoEstimate{Gap::shape_not_fitting,
                     "input " + printed_tuple(x.dims).text + ", filters " + printed_tuple(filters.dims).text};
  };
  if (x.dims.size() > 5 || filters.dims.size() != x.dims.size()) refuse();
  const std::size_t dimensions = x.dims.size() - 2;
  ConvolutionShape shape;
  read_form(input, shape);
  shape.stride = one_a_dimension(input, convolution_stride, dimensions, 1, 1);
  shape.padding = one_a_dimension(input, convolution_padding, dimensions, 0, 0);
  shape.dilation = one_a_dimension(input, convolution_dilation, dimensions, 1, 1);
  shape.output_padding = one_a_dimension(input, convolution_output_padding, dimensions, 0, 0);

  const auto groups = static_cast<double>(shape.groups);
  const auto inner = static_cast<double>(filters.dims[1]);
  const double channels = shape.is_transposed ? inner * groups : static_cast<double>(filters.dims[0]);
  const double expected = shape.is_transposed ? static_cast<double>(filters.dims[0]) : inner * groups;
  constexpr double most = 9e18;
  if (static_cast<double>(x.dims[1]) != expected || channels > most) refuse();
  shape.output = {x.dims[0], static_cast<std::int64_t>(channels)};
  shape.output.reserve(x.dims.size());
  for (std::size_t i = 0; i < dimensions; ++i) {
    const double size = output_size(shape, i, x.dims[i + 2], filters.dims[i + 2]);
    if (!(size >= 1 && size <= most)) refuse();
    shape.output.push_back(static_cast<std::int64_t>(size));
  }
  return shape;
}

double product_flops(const ModelInput& input, const ConvolutionShape& shape) {
  const Operand& x = input.tensor(convolution_input);
  const Operand& filters = input.tensor(convolution_filters);
  double of_one_filter = 1;
  for (std::size_t i = 1; i < filters.dims.size(); ++i) of_one_filter *= static_cast<double>(filters.dims[i]);
  return 2 * of_one_filter * elements_of(shape.is_transposed ? x.dims : shape.output);
}

bool convolution_has_bias(const ModelInput& input) {
  if (input.choice(convolution_bias_is) == "always") return true;
  if (input.has(convolution_bias_sizes)) {
    const auto sizes = whole_numbers_in(input.literal(convolution_bias_sizes));
    return sizes && !sizes->empty() && sizes->front() != 0;
  }
  const Operand* const bias = input.find(convolution_bias);
  return bias != nullptr && !bias->dims.empty();
}

void describe_convolution(const ModelInput& input, const ConvolutionShape& shape, bool has_bias, Estimate& out) {
  const Operand& x = input.tensor(convolution_input);
  const Operand& filters = input.tensor(convolution_filters);
  out.quality = Quality::exact;
  out.unit = ComputeUnit::matrix;
  out.precision = precision_of(x.type);
  out.add_parameter("convNd", "conv" + std::to_string(x.dims.size() - 2) + "d");
  out.add_parameter("input_shape", printed_tuple(x.dims));
  out.add_parameter("filter_shape", printed_tuple(filters.dims));
  out.add_parameter("dtype_input_weight", printed_tuple_of_texts({x.type, filters.type}));
  out.add_parameter("input_stride", printed_or_none(x.strides));
  out.add_parameter("weight_stride", printed_or_none(filters.strides));
  out.add_parameter("bias", has_bias);
  out.add_parameter("stride", printed_tuple(shape.stride));
  out.add_parameter("padding", printed_tuple(shape.padding));
  out.add_parameter("dilation", printed_tuple(shape.dilation));
  out.add_parameter("transposed_conv", shape.is_transposed);
  out.add_parameter("output_padding", printed_tuple(shape.output_padding));
  out.add_parameter("groups", shape.groups);
}

void estimate_convolution_backward(const ModelInput& input, Estimate& out) {
  const ConvolutionShape shape = convolution_shape(input);
  const Operand& x = input.tensor(convolution_input);
  const Operand& filters = input.tensor(convolution_filters);
  const Operand* const grad = input.find(convolution_grad);
  if (grad != nullptr && grad->dims != shape.output) {
    throw NoEstimate{Gap::shape_not_fitting, "grad_output is " + printed_tuple(grad->dims).text};
  }
  std::vector<bool> wanted = {true, true, true};
  if (!input.literal(convolution_mask).empty()) {
    const auto mask = truths_in(input.literal(convolution_mask));
    if (!mask || mask->size() != 3) refuse_convolution_literal(convolution_mask);
    wanted = *mask;
  }
  const bool has_bias = convolution_has_bias(input);
  const double products = product_flops(input, shape);
  const double outputs = elements_of(shape.output);
  Traffic traffic;
  double flops = 0;
  const auto read_grad = [&] {
    if (grad != nullptr) {
      traffic.add(*grad);
    } else {
      traffic.add(outputs, x.type);
    }
  };
  if (wanted[0]) {
    flops += products;
    read_grad();
    traffic.add(filters);
    traffic.add(elements_of(x.dims), x.type);
  }
  if (wanted[1]) {
    flops += products;
    read_grad();
    traffic.add(x);
    traffic.add(elements_of(filters.dims), filters.type);
  }
  if (wanted[2] && has_bias) {
    flops += outputs;
    read_grad();
    traffic.add(static_cast<double>(shape.output[1]), grad != nullptr ? grad->type : x.type);
  }
  out.flops = flops;
  traffic.put_into(out);
  describe_convolution(input, shape, has_bias, out);
}

void estimate_convolution_forward(const ModelInput& input, Estimate& out) {
  const ConvolutionShape shape = convolution_shape(input);
  const Operand& x = input.tensor(convolution_input);
  const bool has_bias = convolution_has_bias(input);
  const double outputs = elements_of(shape.output);
  out.flops = product_flops(input, shape) + (has_bias ? outputs : 0);
  Traffic traffic;
  traffic.add(x);
  traffic.add(input.tensor(convolution_filters));
  traffic.add(outputs, x.type);
  if (has_bias) {
    const Operand* const bias = input.find(convolution_bias);
    traffic.add(static_cast<double>(shape.output[1]), bias != nullptr ? bias->type : x.type);
  }
  traffic.put_into(out);
  describe_convolution(input, shape, has_bias, out);
}

void estimate_convolution(const ModelInput& input, Estimate& out) {
  if (input.choice(convolution_work) == "forward") {
    estimate_convolution_forward(input, out);
  } else if (input.choice(convolution_arguments) == "call") {
    estimate_convolution_backward(input, out);
  } else {
    if (input.context().forward == nullptr) throw NoEstimate{Gap::forward_call_not_found, {}};
    estimate_convolution_backward(input.of_call(*input.context().forward), out);
  }
}
}  // namespace

constinit const ModelFamily convolution_family = {.name = "convolution",
                                                  .meaning = "convolutions",
                                                  .fields = convolution_fields,
                                                  .forward = estimate_convolution,
                                                  .backward = estimate_convolution_backward,
                                                  .needs = context_needs({ContextNeed::forward_call})};
}  // namespace kinetoscope::perf_model
