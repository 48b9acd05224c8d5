#include "core/perf_model/families/custom_collective.hpp"

#include <array>
#include <cmath>
#include <optional>
#include <string>

#include "core/perf_model/element_types.hpp"
#include "core/perf_model/traffic.hpp"

namespace kinetoscope::perf_model {
namespace {

constexpr Field collective_a{"a", FieldKind::tensor, true,
                             "a tensor of this device that the collective reads or makes"};
constexpr Field collective_other{"other", FieldKind::tensor, false,
                                 "what is made of it or it is made of; as large as `a` without"};
constexpr Field collective_weight{"weight", FieldKind::tensor, false, "of the RMSNorm that follows, [c]"};
constexpr std::array collective_fields = {collective_a, collective_other, collective_weight};

/// Each way at least. Absent when the size of an element is not known.
std::optional<double> link_bytes_between(double elements, double others, const std::string& type) {
  const ElementType* const element = find_element_type(type);
  if (element == nullptr) return {};
  const double crossing = std::abs(elements - others);
  return (crossing > 0 ? crossing : elements) * static_cast<double>(element->bytes);
}

void estimate_allreduce_rmsnorm(const ModelInput& input, const Operand& a, Estimate& out) {
  const Operand& weight = input.tensor(collective_weight, 1);
  const double elements = elements_of(a.dims);
  const auto row = static_cast<double>(weight.dims[0]);
  if (row < 1) throw NoEstimate{Gap::shape_not_fitting, "weight is " + printed_tuple(weight.dims).text};
  out.flops = elements + std::floor(elements / row) * (2 * row + 2) + 2 * elements;
  Traffic traffic;
  traffic.add(4 * elements + row, a.type);  // the operand and the residual, each read and written
  traffic.put_into(out);
  out.link_bytes = link_bytes_between(elements, elements, a.type);
}

void estimate_custom_collective(const ModelInput& input, Estimate& out) {
  const Operand& a = input.tensor(collective_a, 1);
  out.quality = Quality::exact;
  out.add_parameter("op_shape", printed_tuple(a.dims));
  out.add_parameter("dtype", a.type);
  if (input.has(collective_weight)) return estimate_allreduce_rmsnorm(input, a, out);
  const Operand& other = input.has(collective_other) ? input.tensor(collective_other, 1) : a;
  out.flops = 0;
  Traffic traffic;
  traffic.add(a);
  traffic.add(elements_of(other.dims), a.type);
  traffic.put_into(out);
  out.link_bytes = link_bytes_between(elements_of(a.dims), elements_of(other.dims), a.type);
}
}  // namespace

constinit const ModelFamily custom_collective_family = {.name = "custom_collective",
                                                        .meaning = "collectives by kernels of a framework's own",
                                                        .fields = collective_fields,
                                                        .forward = estimate_custom_collective};
}  // namespace kinetoscope::perf_model
