#include "core/perf_model/families/reduction.hpp"

#include <algorithm>
#include <array>

#include "core/perf_model/literals.hpp"
#include "core/perf_model/traffic.hpp"

namespace kinetoscope::perf_model {
namespace {

constexpr Field reduction_a{"a", FieldKind::tensor, true, "the operand"};
constexpr Field reduction_b{"b", FieldKind::tensor, false, "a second operand: the work is elementwise then"};
constexpr Field reduction_dims{"dims", FieldKind::literal, false, "dimensions that are reduced, as a list"};
constexpr Field reduction_dim{"dim", FieldKind::literal, false, "the one dimension that is reduced, as a number"};
constexpr Field reduction_dtype{"dtype", FieldKind::literal, false, "type of the result, by PyTorch's number"};
constexpr Field reduction_form{"form", FieldKind::choice, false,
                               "a reduction; one that adds up, whose whole numbers become 64 bits; one that gives "
                               "indices with its values; or a scan",
                               "reduce sum with_indices scan"};
constexpr std::array reduction_fields = {reduction_a,   reduction_b,     reduction_dims,
                                         reduction_dim, reduction_dtype, reduction_form};

/// Elements that are left when these dimensions are reduced.
double kept_elements(const Operand& a, const std::vector<std::int64_t>& dims) {
  const auto rank = static_cast<std::int64_t>(a.dims.size());
  std::vector<bool> is_reduced(a.dims.size(), false);
  for (const std::int64_t dim : dims) {
    const bool is_of_scalar = rank == 0 && (dim == 0 || dim == -1);
    if (is_of_scalar) continue;
    if (dim < -rank || dim >= rank) throw NoEstimate{Gap::literal_not_fitting, "dims"};
    const auto place = static_cast<std::size_t>(dim < 0 ? dim + rank : dim);
    if (is_reduced[place]) throw NoEstimate{Gap::literal_not_fitting, "dims"};
    is_reduced[place] = true;
  }
  double kept = 1;
  for (std::size_t i = 0; i < a.dims.size(); ++i) {
    if (!is_reduced[i]) kept *= static_cast<double>(a.dims[i]);
  }
  return kept;
}

struct ReductionSize {
  double results = 1;
  bool has_indices = false;
};

ReductionSize reduction_size(const ModelInput& input, const Operand& a) {
  const std::string_view form = input.choice(reduction_form);
  if (form == "scan") return {elements_of(a.dims), false};
  const std::string_view listed = input.literal(reduction_dims);
  if (is_list(listed)) {
    const auto dims = whole_numbers_in(listed);
    if (!dims) throw NoEstimate{Gap::literal_not_fitting, "dims"};
    return {dims->empty() ? 1 : kept_elements(a, *dims), false};
  }
  if (const auto dim = input.whole_number(reduction_dim)) return {kept_elements(a, {*dim}), form == "with_indices"};
  return {1, false};
}

/// Bytes of one element of the result; absent when the operand's size is not known.
std::optional<double> reduction_result_bytes(const ModelInput& input, const Operand& a) {
  if (const auto number = input.whole_number(reduction_dtype)) {
    if (const ElementType* const type = find_scalar_type(*number)) return static_cast<double>(type->bytes);
  }
  const ElementType* const type = find_element_type(a.type);
  if (type == nullptr) return {};
  const std::string_view form = input.choice(reduction_form);
  const bool is_whole = !type->precision || *type->precision == Precision::int8;
  constexpr double bytes_of_int64 = 8;
  if (is_whole && type->bytes <= 8 && (form == "sum" || form == "scan")) return bytes_of_int64;
  return static_cast<double>(type->bytes);
}

void estimate_two_operands(const Operand& a, const Operand& b, Estimate& out) {
  const std::optional<Shape> shape = broadcast_shape(a.dims, b.dims);
  if (!shape) throw NoEstimate{Gap::shape_not_fitting, "b is " + printed_tuple(b.dims).text};
  out.flops = elements_of(*shape);
  Traffic traffic;
  traffic.add(a);
  traffic.add(b);
  traffic.add(elements_of(*shape), a.type);
  traffic.put_into(out);
}

/// The word that users' tables have for the kind of reduction.
std::string reduction_kind(std::string_view name) {
  for (const std::string_view kind : {"mean", "max", "min", "norm"}) {
    if (name.find(kind) != std::string_view::npos) return std::string(kind);
  }
  return "sum";
}

void estimate_reduction(const ModelInput& input, Estimate& out) {
  const Operand& a = input.tensor(reduction_a);
  out.quality = Quality::exact;
  out.unit = ComputeUnit::vector;
  out.precision = precision_of(a.type);
  ReductionSize size;
  if (const Operand* const b = input.find(reduction_b)) {
    estimate_two_operands(a, *b, out);
    size.results = *out.flops;
  } else {
    size = reduction_size(input, a);
    out.flops = elements_of(a.dims);
    Traffic traffic;
    traffic.add(a);
    const std::optional<double> bytes = reduction_result_bytes(input, a);
    if (bytes) traffic.add_bytes(size.results * *bytes);
    if (size.has_indices) traffic.add(size.results, "long int");
    traffic.put_into(out);
  }
  out.add_parameter("num_input_elems", count_parameter(elements_of(a.dims)));
  out.add_parameter("num_output_elems", count_parameter(size.results));
  out.add_parameter("dtype_in_out", PythonText{"(" + printed(ParameterValue(a.type)) + ", None)"});
  out.add_parameter("reduce_type", reduction_kind(input.call().name));
}
}  // namespace

constinit const ModelFamily reduction_family = {.name = "reduction",
                                                .meaning = "reductions and scans",
                                                .fields = reduction_fields,
                                                .forward = estimate_reduction,
                                                .backward = estimate_reduction};
}  // namespace kinetoscope::perf_model
