#include "core/perf_model/families/rms_norm.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/perf_model/families/norm_parameters.hpp"
#include "core/perf_model/traffic.hpp"

namespace kinetoscope::perf_model {
namespace {

constexpr Field rms_a{"a", FieldKind::tensor, true, "the operand x"};
constexpr Field rms_weight{"weight", FieldKind::tensor, true, "factor of each channel"};
constexpr Field rms_residual{"residual", FieldKind::tensor, false, "added to x before; the sum is written, too"};
constexpr Field rms_second{"second", FieldKind::tensor, false, "another operand of as many rows, normalized as well"};
constexpr Field rms_result{"result", FieldKind::choice, false, "what is written", "as_a padded fp8 mxfp4"};
constexpr Field rms_group{"group", FieldKind::literal, false,
                          "values of a row that share a scale; not positive: all of them"};
constexpr Field rms_group_or_row{"group_or_row", FieldKind::literal, false,
                                 "the same, where a call may leave it out: all of a row"};
constexpr Field rms_pad{"pad", FieldKind::literal, false,
                        "rows are padded to a multiple of it; not positive: they are not"};
constexpr std::array rms_fields = {rms_a,      rms_weight, rms_residual,     rms_second,
                                   rms_result, rms_group,  rms_group_or_row, rms_pad};

struct RmsShape {
  double elements = 0;
  double channels = 0;
  double rows = 0;
};

/// An optional operand: a matrix, as x is one. What else stands at its place is none.
const Operand* rows_at(const ModelInput& input, const Field& field, const Operand& a) {
  if (input.find(field) == nullptr) return nullptr;
  const Operand& found = input.tensor(field);
  return found.dims.size() >= std::min<std::size_t>(a.dims.size(), 2) ? &found : nullptr;
}

double required_number(const ModelInput& input, const Field& field) {
  if (const auto number = input.whole_number(field)) return static_cast<double>(*number);
  const Gap gap = input.literal(field).empty() ? Gap::argument_not_recorded : Gap::literal_not_fitting;
  throw NoEstimate{gap, std::string(field.name)};
}

double scales_of_a_row(const ModelInput& input, const RmsShape& shape) {
  double group = shape.channels;
  if (input.has(rms_group)) {
    group = required_number(input, rms_group);
  } else if (const auto number = input.whole_number(rms_group_or_row)) {
    group = static_cast<double>(*number);
  }
  return group > 0 ? std::ceil(shape.channels / group) : 1;
}

void add_result(const ModelInput& input, const RmsShape& shape, const std::string& type, Traffic& traffic) {
  const std::string_view result = input.choice(rms_result);
  if (result == "fp8") {
    constexpr double bytes_of_a_scale = 4;
    traffic.add_bytes(shape.elements + bytes_of_a_scale * shape.rows * scales_of_a_row(input, shape));
  } else if (result == "mxfp4") {
    constexpr double values_of_a_scale = 32;
    traffic.add_bytes(shape.elements / 2 + std::floor(shape.elements / values_of_a_scale));
  } else if (result == "padded") {
    const double pad = required_number(input, rms_pad);
    const double width = pad > 0 ? std::ceil(shape.channels / pad) * pad : shape.channels;
    traffic.add(shape.rows * width, type);
  } else {
    traffic.add(shape.elements, type);
  }
}

void estimate_rms_norm(const ModelInput& input, Estimate& out) {
  const Operand& a = input.tensor(rms_a, 1);
  const Operand& weight = input.tensor(rms_weight, 1);
  RmsShape shape{.elements = elements_of(a.dims), .channels = static_cast<double>(weight.dims[0])};
  if (shape.channels < 1) throw NoEstimate{Gap::shape_not_fitting, "weight is " + printed_tuple(weight.dims).text};
  shape.rows = std::floor(shape.elements / shape.channels);
  const Operand* const residual = rows_at(input, rms_residual, a);
  const Operand* const second = rows_at(input, rms_second, a);
  const std::string_view result = input.choice(rms_result);
  const bool is_quantised = result == "fp8" || result == "mxfp4";

  out.quality = Quality::exact;
  out.unit = ComputeUnit::vector;
  out.precision = precision_of(a.type);
  const double plain = shape.elements / shape.channels * (2 * shape.channels + 2) + 2 * shape.elements;
  double flops = plain + (residual != nullptr ? shape.elements : 0) + (is_quantised ? 2 * shape.elements : 0);

  Traffic traffic;
  traffic.add(a);
  traffic.add(shape.channels, a.type);
  if (residual != nullptr) {
    traffic.add(stored_elements_of(*residual), a.type);
    traffic.add(shape.elements, a.type);
  }
  add_result(input, shape, a.type, traffic);
  if (second != nullptr) {
    const auto width = static_cast<double>(second->dims.back());
    if (shape.elements > 0) flops += std::floor(plain * shape.rows * width / shape.elements);
    traffic.add(2 * shape.rows * width + width, a.type);
  }
  traffic.put_into(out);
  out.flops = flops;
  add_norm_parameters(a, {.channels = shape.channels, .is_affine = true}, out);
}
}  // namespace

constinit const ModelFamily rms_norm_family = {.name = "rms_norm",
                                               .meaning = "RMS normalization, alone and fused",
                                               .fields = rms_fields,
                                               .forward = estimate_rms_norm};
}  // namespace kinetoscope::perf_model
