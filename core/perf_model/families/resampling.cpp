#include "core/perf_model/families/resampling.hpp"

#include <array>
#include <cmath>

#include "core/perf_model/literals.hpp"
#include "core/perf_model/traffic.hpp"

namespace kinetoscope::perf_model {
namespace {

constexpr Field resampling_a{"a", FieldKind::tensor, true, "the operand"};
constexpr Field resampling_padding{"padding", FieldKind::literal, false, "pairs of sizes, innermost dimension first"};
constexpr Field resampling_sizes{"sizes", FieldKind::literal, false, "spatial sizes of the result"};
constexpr Field resampling_factors{"factors", FieldKind::literal, false, "spatial factors, where there are no sizes"};
constexpr std::array resampling_fields = {resampling_a, resampling_padding, resampling_sizes, resampling_factors};

Shape padded_shape(const Operand& a, const std::vector<std::int64_t>& pairs) {
  Shape shape = a.dims;
  if (pairs.size() % 2 != 0 || pairs.size() / 2 > shape.size()) {
    throw NoEstimate{Gap::literal_not_fitting, "padding"};
  }
  for (std::size_t i = 0; i * 2 < pairs.size(); ++i) {
    constexpr std::int64_t largest = std::int64_t{1} << 40;
    if (std::abs(pairs[2 * i]) > largest || std::abs(pairs[2 * i + 1]) > largest) {
      throw NoEstimate{Gap::literal_not_fitting, "padding"};
    }
    std::int64_t& size = shape[shape.size() - 1 - i];
    if (size > largest) throw NoEstimate{Gap::shape_not_fitting, "a is " + printed_tuple(a.dims).text};
    size += pairs[2 * i] + pairs[2 * i + 1];
    if (size < 0) throw NoEstimate{Gap::literal_not_fitting, "padding"};
  }
  return shape;
}

Shape enlarged_shape(const ModelInput& input, const Operand& a) {
  constexpr std::size_t outer = 2;  // batch and channels
  Shape shape(a.dims.begin(), a.dims.begin() + outer);
  const std::size_t spatial = a.dims.size() - outer;
  if (const auto sizes = input.whole_numbers(resampling_sizes)) {
    if (sizes->size() != spatial) throw NoEstimate{Gap::literal_not_fitting, "sizes"};
    for (const std::int64_t size : *sizes) {
      if (size < 0) throw NoEstimate{Gap::literal_not_fitting, "sizes"};
      shape.push_back(size);
    }
    return shape;
  }
  const auto factors = numbers_in(input.literal(resampling_factors));
  if (!factors) throw NoEstimate{Gap::argument_not_recorded, "sizes"};
  if (factors->size() != spatial) throw NoEstimate{Gap::literal_not_fitting, "factors"};
  for (std::size_t i = 0; i < spatial; ++i) {
    const double size = std::floor(static_cast<double>(a.dims[outer + i]) * (*factors)[i]);
    if (!(size >= 0 && size < 9e18)) throw NoEstimate{Gap::literal_not_fitting, "factors"};
    shape.push_back(static_cast<std::int64_t>(size));
  }
  return shape;
}

void estimate_resampling(const ModelInput& input, Estimate& out) {
  const bool pads = input.has(resampling_padding);
  const Operand& a = input.tensor(resampling_a, pads ? 1 : 3);
  Shape shape;
  if (pads) {
    const auto pairs = input.whole_numbers(resampling_padding);
    if (!pairs) throw NoEstimate{Gap::argument_not_recorded, "padding"};
    shape = padded_shape(a, *pairs);
  } else {
    shape = enlarged_shape(input, a);
  }
  out.quality = Quality::exact;
  out.unit = ComputeUnit::vector;
  out.precision = precision_of(a.type);
  out.flops = elements_of(shape);
  Traffic traffic;
  traffic.add(a);
  traffic.add(elements_of(shape), a.type);
  traffic.put_into(out);
  out.add_parameter("op_shape", printed_tuple(shape));
  out.add_parameter("dtype_in_out", printed_tuple_of_texts({a.type, a.type}));
  out.add_parameter("stride_input", printed_or_none(a.strides));
  out.add_parameter("stride_output", std::monostate());
  out.add_parameter("input_shape", printed_tuple(a.dims));
  out.add_parameter("output_shape", printed_tuple(shape));
}
}  // namespace

constinit const ModelFamily resampling_family = {.name = "resampling",
                                                 .meaning = "padding and nearest-neighbour enlargement",
                                                 .fields = resampling_fields,
                                                 .forward = estimate_resampling};
}  // namespace kinetoscope::perf_model
