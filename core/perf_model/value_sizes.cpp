#include "core/perf_model/value_sizes.hpp"

#include "core/perf_model/element_types.hpp"

namespace kinetoscope::perf_model {

std::optional<double> bytes_per_value(std::string_view type_name) {
  const ElementType* const type = find_element_type(type_name);
  const bool is_floating_point = type != nullptr && type->precision && *type->precision != Precision::int8;
  if (!is_floating_point) return {};
  return static_cast<double>(type->bytes) / static_cast<double>(type->values_per_byte);
}
}  // namespace kinetoscope::perf_model
