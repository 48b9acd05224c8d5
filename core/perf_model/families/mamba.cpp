#include "core/perf_model/families/mamba.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/perf_model/traffic.hpp"

namespace kinetoscope::perf_model {
namespace {

constexpr Field mamba_a{"a", FieldKind::tensor, true, "the input, [B, T, W]"};
constexpr Field mamba_filter{"filter", FieldKind::tensor, true, "the convolution's filter, [cc, dc]"};
constexpr Field mamba_bias{"bias", FieldKind::tensor, false, "the convolution's bias"};
constexpr Field mamba_time{"time_bias", FieldKind::tensor, true, "bias of the time step of each head, [H]"};
constexpr Field mamba_decay{"decay", FieldKind::tensor, false, "decay of each head"};
constexpr Field mamba_skip{"skip", FieldKind::tensor, false, "factor of the input of each head"};
constexpr Field mamba_chunk{"chunk", FieldKind::literal, false, "tokens of a chunk"};
constexpr Field mamba_head_size{"head_size", FieldKind::literal, false, "size of a head"};
constexpr Field mamba_groups{"groups", FieldKind::literal, false, "groups that share the state's projections"};
constexpr std::array mamba_fields = {mamba_a,    mamba_filter, mamba_bias,      mamba_time,  mamba_decay,
                                     mamba_skip, mamba_chunk,  mamba_head_size, mamba_groups};

double literal_or(const ModelInput& input, const Field& field, std::int64_t usual, Estimate& out) {
  const auto recorded = input.whole_number(field);
  if (!recorded) note(out, Note::size_assumed);
  const std::int64_t number = recorded.value_or(usual);
  if (number < 1) throw NoEstimate{Gap::literal_not_fitting, std::string(field.name)};
  return static_cast<double>(number);
}

void estimate_mamba(const ModelInput& input, Estimate& out) {
  const Operand& a = input.tensor(mamba_a, 3);
  const Operand& filter = input.tensor(mamba_filter, 2);
  const double tokens = static_cast<double>(a.dims[0]) * static_cast<double>(a.dims[1]);
  const auto width = static_cast<double>(a.dims[2]);
  const auto heads = static_cast<double>(input.tensor(mamba_time, 1).dims[0]);
  const double chunk = literal_or(input, mamba_chunk, 128, out);
  const double head_size = literal_or(input, mamba_head_size, 64, out);
  const double groups = literal_or(input, mamba_groups, 1, out);
  const double inner = heads * head_size;
  const double state = (width - 2 * inner - heads) / (2 * groups);
  if (!(state >= 1) || state != std::floor(state)) {
    throw NoEstimate{Gap::shape_not_fitting, "a is " + printed_tuple(a.dims).text};
  }

  out.quality = Quality::exact;
  out.unit = ComputeUnit::matrix;
  out.precision = precision_of(a.type);
  out.flops =
      tokens * (2 * elements_of(filter.dims) + 2 * groups * chunk * state + 2 * inner * chunk + 4 * inner * state);
  Traffic traffic;
  traffic.add(a);
  traffic.add(filter);
  for (const Field* const field : {&mamba_bias, &mamba_time, &mamba_decay, &mamba_skip}) {
    if (input.find(*field) != nullptr) traffic.add(input.tensor(*field));
  }
  traffic.add(tokens * inner, a.type);
  traffic.put_into(out);
  const auto whole = [](double number) { return static_cast<std::int64_t>(std::min(9e18, number)); };
  out.add_parameter("B", a.dims[0]);
  out.add_parameter("T", a.dims[1]);
  out.add_parameter("H", whole(heads));
  out.add_parameter("P", whole(head_size));
  out.add_parameter("N", whole(state));
  out.add_parameter("G", whole(groups));
  out.add_parameter("chunk_size", whole(chunk));
  out.add_parameter("dtype", a.type);
}

void estimate_mamba_backward(const ModelInput& input, Estimate& out) {
  estimate_mamba(input, out);
  out.quality = Quality::average_case;
  if (out.flops) *out.flops *= 2;
  if (out.bytes_moved) *out.bytes_moved *= 2;
}
}  // namespace

constinit const ModelFamily mamba_family = {.name = "mamba",
                                            .meaning = "Mamba-2 blocks",
                                            .fields = mamba_fields,
                                            .forward = estimate_mamba,
                                            .backward = estimate_mamba_backward};
}  // namespace kinetoscope::perf_model
