#include "core/perf_model/families/modulated_norm.hpp"

#include <array>

#include "core/perf_model/families/norm_parameters.hpp"
#include "core/perf_model/traffic.hpp"

namespace kinetoscope::perf_model {
namespace {

constexpr Field modulated_a{"a", FieldKind::tensor, true, "the operand, or of a backward operator the gradient"};
constexpr Field modulated_work{"work", FieldKind::choice, false, "which way the operator goes", "forward backward"};
constexpr std::array modulated_fields = {modulated_a, modulated_work};

void estimate_modulated(const ModelInput& input, bool is_backward, Estimate& out) {
  const Operand& a = input.tensor(modulated_a, 3);
  const double elements = elements_of(a.dims);
  const auto tokens = static_cast<double>(a.dims[0]);
  const auto sequences = static_cast<double>(a.dims[1]);
  const auto channels = static_cast<double>(a.dims[2]);
  out.quality = Quality::exact;
  out.unit = ComputeUnit::vector;
  out.precision = precision_of(a.type);
  out.flops = (is_backward ? 15 : 12) * elements;

  constexpr double bytes_of_statistics = 8;  // mean and reciprocal deviation of a token, both float
  Traffic traffic;
  traffic.add(a);
  traffic.add((is_backward ? 2 : 1) * elements, a.type);
  traffic.add((is_backward ? 3 : 2) * sequences * channels, a.type);
  traffic.add_bytes(bytes_of_statistics * tokens * sequences);
  traffic.put_into(out);
  add_norm_parameters(a, {.channels = channels, .has_bias = true, .is_affine = true, .is_training = true}, out);
}

void estimate_modulated_norm(const ModelInput& input, Estimate& out) {
  estimate_modulated(input, input.choice(modulated_work) == "backward", out);
}
void estimate_modulated_norm_backward(const ModelInput& input, Estimate& out) { estimate_modulated(input, true, out); }
}  // namespace

constinit const ModelFamily modulated_norm_family = {.name = "modulated_norm",
                                                     .meaning = "layer normalization with a scale and shift a sequence",
                                                     .fields = modulated_fields,
                                                     .forward = estimate_modulated_norm,
                                                     .backward = estimate_modulated_norm_backward};
}  // namespace kinetoscope::perf_model
