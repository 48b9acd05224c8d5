#include "core/perf_model/families/fused_kernel.hpp"

#include <algorithm>
#include <string>

#include "core/perf_model/inductor_kernel_name.hpp"
#include "core/perf_model/literals.hpp"
#include "core/perf_model/traffic.hpp"

namespace kinetoscope::perf_model {
namespace {

/// The sizes that end the argument list, as far as they are whole numbers.
std::vector<double> size_literals(const Call& call) {
  std::vector<double> sizes;
  for (const std::string& literal : call.literals) {
    if (const auto number = whole_number_in(literal)) sizes.push_back(static_cast<double>(*number));
  }
  return sizes;
}

double worked_elements(InductorKernelKind kind, const std::vector<double>& sizes, const std::vector<double>& pointers) {
  const auto is_size_of_pointer = [&](double size) { return std::ranges::find(pointers, size) != pointers.end(); };
  const double last = sizes.empty() ? 0 : sizes.back();
  const double product = sizes.size() < 2 ? 0 : sizes[sizes.size() - 2] * last;
  if (kind == InductorKernelKind::pointwise && is_size_of_pointer(last)) return last;
  if (is_size_of_pointer(product)) return product;
  return pointers.empty() ? std::max(last, product) : std::ranges::max(pointers);
}

/// Operators that take two operands, unless one of them is a number.
std::size_t two_operand_count(const std::vector<std::string_view>& operators) {
  return static_cast<std::size_t>(std::ranges::count_if(operators, [](std::string_view name) {
    return name == "add" || name == "sub" || name == "mul" || name == "div";
  }));
}

std::int64_t operations_of(const std::vector<std::string_view>& operators) {
  std::int64_t operations = 0;
  for (const std::string_view name : operators) operations += operations_per_element(name);
  return operations;
}

void add_kernel_parameters(const std::vector<std::string_view>& operators, double xnumel, double rnumel,
                           Estimate& out) {
  std::string names;
  for (const std::string_view name : operators) {
    if (!names.empty()) names += ", ";
    names += "aten." + std::string(name);
  }
  out.add_parameter("fused_ops", names);
  out.add_parameter("xnumel", count_parameter(xnumel));
  out.add_parameter("rnumel", count_parameter(rnumel));
}

void estimate_by_source(const CompiledKernel& kernel, Estimate& out) {
  const std::vector<std::string_view> operators = fused_operators(kernel.name);
  out.quality = Quality::average_case;
  out.unit = ComputeUnit::vector;
  out.flops = kernel.xnumel * kernel.rnumel * static_cast<double>(operations_of(operators));
  Traffic traffic;
  for (const CompiledPointer& pointer : kernel.pointers) {
    traffic.add(pointer.elements_read + pointer.elements_written, pointer.type);
    if (!out.precision) out.precision = precision_of(pointer.type);
  }
  note(out, Note::arguments_from_cache);
  if (!kernel.has_exact_sizes) note(out, Note::size_assumed);
  traffic.put_into(out);
  add_kernel_parameters(operators, kernel.xnumel, kernel.rnumel, out);
}

void estimate_fused_kernel(const ModelInput& input, Estimate& out) {
  const Call& call = input.call();
  const auto kind = inductor_kernel_kind(call.name);
  if (!kind) throw NoEstimate{Gap::not_modelled, call.name};
  const std::vector<double> sizes = size_literals(call);
  if (call.operands.empty() || sizes.empty()) {
    if (input.context().compiled != nullptr) return estimate_by_source(*input.context().compiled, out);
    throw NoEstimate{Gap::argument_not_recorded, "sizes"};
  }
  std::vector<const Operand*> operands;
  std::vector<double> pointers;
  operands.reserve(call.operands.size());
  pointers.reserve(call.operands.size());
  for (const Operand& operand : call.operands) {
    if (operand.dims.empty() || operand.type == "Scalar") continue;
    if (elements_of(operand.dims) < 0) throw NoEstimate{Gap::shape_not_fitting, printed_tuple(operand.dims).text};
    operands.push_back(&operand);
    pointers.push_back(elements_of(operand.dims));
  }
  const double elements = worked_elements(*kind, sizes, pointers);
  const std::vector<std::string_view> operators = fused_operators(call.name);

  out.quality = Quality::exact;
  out.unit = ComputeUnit::vector;
  out.flops = elements * static_cast<double>(operations_of(operators));
  const bool is_pointwise = *kind == InductorKernelKind::pointwise;
  Traffic traffic;
  for (const Operand* const operand : operands) {
    const double stored = stored_elements_of(*operand);
    traffic.add(is_pointwise ? std::min(stored, elements) : stored, operand->type);
    const ElementType* const type = find_element_type(operand->type);
    if (!out.precision && type != nullptr) out.precision = type->precision;
  }
  const std::size_t operands_needed = two_operand_count(operators) + 1;
  if (is_pointwise && operands_needed > 1 && operands.size() == operands_needed) {
    traffic.add(elements, operands.front()->type);
    note(out, Note::in_place_assumed);
    out.quality = Quality::lower_bound;
  }
  traffic.put_into(out);

  const bool has_two = !is_pointwise && sizes.size() > 1;
  add_kernel_parameters(operators, has_two ? sizes[sizes.size() - 2] : sizes.back(), has_two ? sizes.back() : 1, out);
}
}  // namespace

constinit const ModelFamily fused_kernel_family = {.name = "fused_kernel",
                                                   .meaning = "kernels that Inductor writes in Triton",
                                                   .fields = {},
                                                   .forward = estimate_fused_kernel};
}  // namespace kinetoscope::perf_model
