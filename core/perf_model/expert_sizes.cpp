#include "core/perf_model/expert_sizes.hpp"

#include <cmath>
#include <string>

#include <fmt/format.h>

#include "core/perf_model/traffic.hpp"
#include "core/perf_model/value_sizes.hpp"

namespace kinetoscope::perf_model {

void read_both_weights(const Operand& first, const Operand& second, ExpertSizes& sizes) {
  sizes.experts = static_cast<double>(second.dims.at(0));
  sizes.hidden = static_cast<double>(second.dims.at(1));
  const auto stored_hidden = static_cast<double>(first.dims.at(2));
  const double values_per_element = stored_hidden > 0 ? std::floor(sizes.hidden / stored_hidden) : 0;
  if (values_per_element < 1) {
    throw NoEstimate{Gap::shape_not_fitting, fmt::format("weights are {} and {}", printed_tuple(first.dims).text,
                                                         printed_tuple(second.dims).text)};
  }
  sizes.intermediate = static_cast<double>(second.dims.at(2)) * values_per_element;
  sizes.is_gated = static_cast<double>(first.dims.at(1)) == 2 * sizes.intermediate;
}

double experts_per_token(const ModelInput& input, const Field& routed, const Field& literal) {
  if (input.find(routed) != nullptr) return static_cast<double>(input.tensor(routed, 2).dims[1]);
  if (const auto number = input.whole_number(literal)) return static_cast<double>(*number);
  if (const std::string_view text = input.literal(literal); !text.empty()) {
    throw NoEstimate{Gap::literal_not_fitting, fmt::format("{} is {}", literal.name, text)};
  }
  if (const auto number = input.context().experts_per_token) return static_cast<double>(*number);
  throw NoEstimate{Gap::argument_not_recorded, std::string(literal.name)};
}

double active_experts(const ExpertSizes& sizes) {
  const double k = sizes.experts_per_token;
  if (k < 1 || k > sizes.experts) {
    throw NoEstimate{Gap::shape_not_fitting, fmt::format("{} of {} experts a token", k, sizes.experts)};
  }
  return sizes.experts * (1 - std::pow((sizes.experts - k) / sizes.experts, sizes.tokens));
}

void describe_expert_product(const ExpertSizes& sizes, double weight_bytes, Estimate& out) {
  out.quality = Quality::average_case;
  out.unit = ComputeUnit::matrix;
  note(out, Note::routing_uniform);
  if (weight_bytes <= usual_weight_bytes) note(out, Note::scales_not_counted);
  out.add_parameter("M", count_parameter(sizes.tokens));
  out.add_parameter("K", count_parameter(sizes.hidden));
  out.add_parameter("N", count_parameter(sizes.intermediate));
  out.add_parameter("E", count_parameter(sizes.experts));
  out.add_parameter("topk", count_parameter(sizes.experts_per_token));
  out.add_parameter("gated", sizes.is_gated);
}
}  // namespace kinetoscope::perf_model
