#include "core/perf_model/families/norm_parameters.hpp"

#include <algorithm>

namespace kinetoscope::perf_model {

void add_norm_parameters(const Operand& a, const NormParameters& parameters, Estimate& out) {
  constexpr double largest = 9e18;  // a 64-bit integer holds it; std::min gives it for what is not a number, too
  out.add_parameter("op_shape", printed_tuple(a.dims));
  out.add_parameter("dtype_in_out", PythonText{"(" + printed(ParameterValue(a.type)) + ", None)"});
  out.add_parameter("stride_input", printed_or_none(a.strides));
  out.add_parameter("stride_output", ParameterValue());
  out.add_parameter("num_channels", static_cast<std::int64_t>(std::min(largest, parameters.channels)));
  out.add_parameter("has_bias", parameters.has_bias);
  out.add_parameter("is_affine", parameters.is_affine);
  out.add_parameter("is_training", parameters.is_training);
  if (!parameters.output_mask) return;
  std::string mask = "[";
  for (const bool is_asked_for : *parameters.output_mask) {
    if (mask.size() > 1) mask += ", ";
    mask += printed(ParameterValue(is_asked_for));
  }
  out.add_parameter("output_mask", PythonText{mask + "]"});
}
}  // namespace kinetoscope::perf_model
