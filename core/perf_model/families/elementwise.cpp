#include "core/perf_model/families/elementwise.hpp"

#include <array>

#include "core/perf_model/traffic.hpp"

namespace kinetoscope::perf_model {
namespace {

constexpr Field elementwise_a{"a", FieldKind::tensor, true, "first operand; of a copy the destination"};
constexpr Field elementwise_b{"b", FieldKind::tensor, false, "second operand; of a copy the source"};
constexpr Field elementwise_out{"out", FieldKind::tensor, false, "the result, where the caller passes it"};
constexpr Field elementwise_form{
    "form", FieldKind::choice, false,
    "one operand (a second tensor is read, too), two operands, a division of two, or a copy",
    "unary binary division copy"};
constexpr std::array elementwise_fields = {elementwise_a, elementwise_b, elementwise_out, elementwise_form};

bool writes_over_first(const ModelInput& input) {
  const std::string_view name = input.call().name;
  return name.ends_with('_') || input.choice(elementwise_form) == "copy";
}

/// Where the form wants two operands, what stands at the second's place though it is a number.
const Operand* recorded_second(const ModelInput& input) {
  const Operand* const tensor = input.find(elementwise_b);
  if (tensor != nullptr || input.call().operands.size() < 2) return tensor;
  return &input.call().operands[1];
}

bool is_whole_number_type(const ElementType& type) { return !type.precision || *type.precision == Precision::int8; }

/// The type of the result, by the name of an operand's.
std::string_view result_type(const ModelInput& input, const Operand& a, const Operand* b) {
  if (const Operand* const out = input.find(elementwise_out)) return out->type;
  if (writes_over_first(input)) return a.type;
  const ElementType* const type_a = find_element_type(a.type);
  const ElementType* const type_b = b == nullptr ? nullptr : find_element_type(b->type);
  if (input.choice(elementwise_form) == "division" && type_a != nullptr && is_whole_number_type(*type_a) &&
      (type_b == nullptr || is_whole_number_type(*type_b) || b->dims.empty())) {
    return "float";
  }
  if (b == nullptr || b->dims.empty()) return a.type;
  if (a.dims.empty()) return b->type;
  if (type_a == nullptr || type_b == nullptr) return type_a == nullptr ? a.type : b->type;
  return type_b->bytes > type_a->bytes ? b->type : a.type;
}

ParameterValue strides_or_none(const Operand* operand) {
  return operand == nullptr ? ParameterValue() : printed_or_none(operand->strides);
}

/// ('float', None): a type that stands in no operand is None.
PythonText types_tuple(std::initializer_list<const Operand*> operands) {
  std::string out = "(";
  for (const Operand* const operand : operands) {
    if (out.size() > 1) out += ", ";
    out += operand == nullptr ? "None" : printed(ParameterValue(operand->type));
  }
  return {out + ")"};
}

void add_unary_parameters(const ModelInput& input, const Operand& a, Estimate& out) {
  const Operand* second = input.find(elementwise_b);
  if (second == nullptr) second = input.find(elementwise_out);
  out.add_parameter("op_shape", printed_tuple(a.dims));
  out.add_parameter("dtype_in_out", types_tuple({&a, second}));
  out.add_parameter("stride_input", strides_or_none(&a));
  out.add_parameter("stride_output", strides_or_none(second));
}

void add_binary_parameters(const ModelInput& input, const Operand& a, Estimate& out) {
  const Operand* const b = recorded_second(input);
  const Operand* const result = input.find(elementwise_out);
  out.add_parameter("shape_in1", printed_tuple(a.dims));
  out.add_parameter("shape_in2", printed_tuple(b == nullptr ? Shape() : b->dims));
  out.add_parameter("dtype_in1_in2_out", types_tuple({&a, b, result}));
  out.add_parameter("stride_input1", strides_or_none(&a));
  out.add_parameter("stride_input2", strides_or_none(b));
  out.add_parameter("stride_output", strides_or_none(result));
}

void estimate_copy(const ModelInput& input, Estimate& out) {
  const Operand& destination = input.tensor(elementwise_a);
  const Operand& read = input.tensor(elementwise_b);
  if (!broadcast_shape(destination.dims, read.dims)) {
    throw NoEstimate{Gap::shape_not_fitting, "b is " + printed_tuple(read.dims).text};
  }
  out.flops = 0;
  out.precision = precision_of(read.type);
  Traffic traffic;
  traffic.add(read);
  traffic.add(elements_of(destination.dims), destination.type);
  traffic.put_into(out);
  add_unary_parameters(input, destination, out);
}

void estimate_elementwise(const ModelInput& input, Estimate& out) {
  out.quality = Quality::exact;
  out.unit = ComputeUnit::vector;
  const std::string_view form = input.choice(elementwise_form);
  if (form == "copy") return estimate_copy(input, out);

  const Operand& a = input.tensor(elementwise_a);
  const Operand* const b = input.find(elementwise_b);
  const std::optional<Shape> shape = broadcast_shape(a.dims, b == nullptr ? Shape() : b->dims);
  if (!shape) throw NoEstimate{Gap::shape_not_fitting, "b is " + printed_tuple(b->dims).text};
  const double results = elements_of(*shape);
  out.flops = results;
  out.precision = precision_of(a.type);

  Traffic traffic;
  traffic.add(a);
  if (form == "unary") {
    traffic.add(b);
  } else if (const Operand* const second = recorded_second(input)) {
    traffic.add(stored_elements_of(*second), second->type);  // a number counts as one element of its type
  }
  traffic.add(results, result_type(input, a, b));
  traffic.put_into(out);
  if (form == "unary") {
    add_unary_parameters(input, a, out);
  } else {
    add_binary_parameters(input, a, out);
  }
}
}  // namespace

constinit const ModelFamily elementwise_family = {.name = "elementwise",
                                                  .meaning = "work on each element by itself",
                                                  .fields = elementwise_fields,
                                                  .forward = estimate_elementwise};
}  // namespace kinetoscope::perf_model
