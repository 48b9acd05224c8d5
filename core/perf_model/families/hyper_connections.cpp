#include "core/perf_model/families/hyper_connections.hpp"

#include <array>
#include <string>

#include "core/perf_model/traffic.hpp"

namespace kinetoscope::perf_model {
namespace {

constexpr Field hyper_form{"form", FieldKind::choice, false, "which step", "post project pre post_project"};
constexpr Field hyper_typed{"typed", FieldKind::tensor, true, "the operand whose type the streams have"};
constexpr Field hyper_tokens{"tokens", FieldKind::tensor, false, "what the layer takes or gave, [M, C]"};
constexpr Field hyper_streams{"streams", FieldKind::tensor, true, "a tensor that begins with [M, n]"};
constexpr Field hyper_matrix{"matrix", FieldKind::tensor, false, "of the projection, [h, K]"};
constexpr Field hyper_projected{"projected", FieldKind::tensor, false, "partial projections, [s, M, h]"};
constexpr Field hyper_bias{"bias", FieldKind::tensor, false, "of the projection, [h]"};
constexpr std::array hyper_fields = {hyper_form,   hyper_typed,     hyper_tokens, hyper_streams,
                                     hyper_matrix, hyper_projected, hyper_bias};

struct HyperSizes {
  double tokens = 0;     ///< M
  double width = 0;      ///< C
  double streams = 0;    ///< n
  double outputs = 0;    ///< h
  double projected = 0;  ///< K, the values that are projected
  double parts = 0;      ///< s
};

double hyper_dimension(const Operand& operand, std::size_t place) {
  return static_cast<double>(operand.dims.at(place));
}

HyperSizes hyper_sizes(const ModelInput& input, bool projects) {
  HyperSizes sizes;
  if (input.has(hyper_tokens)) {
    const Operand& tokens = input.tensor(hyper_tokens, 2);
    sizes.tokens = hyper_dimension(tokens, 0);
    sizes.width = hyper_dimension(tokens, 1);
  } else {
    const Operand& streams = input.tensor(hyper_streams, 3);
    sizes.tokens = hyper_dimension(streams, 0);
    sizes.width = hyper_dimension(streams, 2);
  }
  sizes.streams = hyper_dimension(input.tensor(hyper_streams, 2), 1);
  if (projects) {
    const Operand& matrix = input.tensor(hyper_matrix, 2);
    sizes.outputs = hyper_dimension(matrix, 0);
    sizes.projected = hyper_dimension(matrix, 1);
  }
  if (input.has(hyper_bias)) sizes.outputs = hyper_dimension(input.tensor(hyper_bias, 1), 0);
  if (input.has(hyper_projected)) sizes.parts = hyper_dimension(input.tensor(hyper_projected, 1), 0);
  return sizes;
}

struct HyperWork {
  double flops = 0;
  double values = 0;  ///< of the streams' type
  double floats = 0;
};

HyperWork hyper_work(std::string_view form, const HyperSizes& sizes) {
  const double layer = sizes.tokens * sizes.width;
  const double all_streams = layer * sizes.streams;
  const double mixing = sizes.tokens * sizes.streams + sizes.tokens * sizes.streams * sizes.streams;
  const double partial = sizes.parts * sizes.tokens * sizes.outputs;
  const double projection_floats = sizes.outputs * sizes.projected + partial + sizes.parts * sizes.tokens;
  const double projection_flops = 2 * sizes.tokens * sizes.outputs * sizes.projected;
  const double post_flops = 2 * all_streams * (sizes.streams + 1);
  if (form == "post") return {post_flops, layer + 2 * all_streams, mixing};
  if (form == "project") return {projection_flops, all_streams, projection_floats};
  if (form == "pre") return {2 * all_streams + 5 * layer, all_streams + sizes.width + layer, partial + mixing};
  return {post_flops + projection_flops, layer + 3 * all_streams, mixing + projection_floats};
}

void estimate_hyper_connections(const ModelInput& input, Estimate& out) {
  const std::string_view form = input.choice(hyper_form);
  const bool projects = form == "project" || form == "post_project";
  const HyperSizes sizes = hyper_sizes(input, projects);
  const HyperWork work = hyper_work(form, sizes);
  constexpr double float_bytes = 4;
  constexpr std::string_view usual_type = "bf16";
  const std::string& recorded = input.tensor(hyper_typed).type;
  const std::string_view type_name = recorded.empty() ? usual_type : std::string_view(recorded);
  out.precision = precision_of(type_name);
  out.flops = work.flops;
  out.quality = Quality::exact;
  out.unit = projects ? ComputeUnit::matrix : ComputeUnit::vector;
  Traffic traffic;
  traffic.add(work.values, type_name);
  traffic.add_bytes(float_bytes * work.floats);
  traffic.put_into(out);

  out.add_parameter("M", count_parameter(sizes.tokens));
  out.add_parameter("n", count_parameter(sizes.streams));
  out.add_parameter("C", count_parameter(sizes.width));
  if (projects || form == "pre") out.add_parameter("h", count_parameter(sizes.outputs));
  if (projects) out.add_parameter("K", count_parameter(sizes.projected));
  if (projects || form == "pre") out.add_parameter("s", count_parameter(sizes.parts));
  out.add_parameter("dtype", std::string(type_name));
}
}  // namespace

constinit const ModelFamily hyper_connections_family = {.name = "hyper_connections",
                                                        .meaning = "several residual streams, mixed around a layer",
                                                        .fields = hyper_fields,
                                                        .forward = estimate_hyper_connections};
}  // namespace kinetoscope::perf_model
