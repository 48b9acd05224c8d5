#include "core/perf_model/families/sampling.hpp"

#include <array>

#include "core/perf_model/traffic.hpp"

namespace kinetoscope::perf_model {
namespace {

constexpr Field sampling_logits{"logits", FieldKind::tensor, true, "logits, [R, V]"};
constexpr Field sampling_noise{"noise", FieldKind::tensor, true,
                               "noise, of as many elements; expanded rows count once"};
constexpr std::array sampling_fields = {sampling_logits, sampling_noise};

void estimate_sampling(const ModelInput& input, Estimate& out) {
  const Operand& logits = input.tensor(sampling_logits, 2);
  const Operand& noise = input.tensor(sampling_noise);
  const auto rows = static_cast<double>(logits.dims[0]);
  out.quality = Quality::exact;
  out.unit = ComputeUnit::vector;
  out.precision = precision_of(logits.type);
  out.flops = 2 * elements_of(logits.dims);
  constexpr double bytes_of_a_token = 4;
  Traffic traffic;
  traffic.add(logits);
  traffic.add(noise);
  traffic.add_bytes(rows * bytes_of_a_token);
  traffic.put_into(out);
  out.add_parameter("T", logits.dims[0]);
  out.add_parameter("V", logits.dims[1]);
  out.add_parameter("dtype_logits", logits.type);
  out.add_parameter("dtype_noise", noise.type);
}
}  // namespace

constinit const ModelFamily sampling_family = {.name = "sampling",
                                               .meaning = "a token chosen of each row of logits",
                                               .fields = sampling_fields,
                                               .forward = estimate_sampling};
}  // namespace kinetoscope::perf_model
