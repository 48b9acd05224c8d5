#include "core/perf_model/families/latent_rope.hpp"

#include <array>
#include <string>

#include "core/perf_model/traffic.hpp"

namespace kinetoscope::perf_model {
namespace {

constexpr Field latent_rope_q{"q", FieldKind::tensor, true, "latent part of the queries, [T, H, L]"};
constexpr Field latent_rope_q_rotated{"q_rotated", FieldKind::tensor, true, "their rotated part, [T, H, P]"};
constexpr Field latent_rope_k{"k", FieldKind::tensor, false, "latent part of the keys, [T, G, L]; without it G is 1"};
constexpr Field latent_rope_cache{"cache", FieldKind::tensor, false, "the cache that keys are written to"};
constexpr Field latent_rope_out{"out", FieldKind::tensor, false, "the result, where the caller passes it"};
constexpr std::array latent_rope_fields = {latent_rope_q, latent_rope_q_rotated, latent_rope_k, latent_rope_cache,
                                           latent_rope_out};

void estimate_latent_rope(const ModelInput& input, Estimate& out) {
  const Operand& q = input.tensor(latent_rope_q, 3);
  const auto tokens = static_cast<double>(q.dims[0]);
  const auto query_heads = static_cast<double>(q.dims[1]);
  const std::int64_t rotated_size = input.tensor(latent_rope_q_rotated, 3).dims[2];
  const std::int64_t groups = input.has(latent_rope_k) ? input.tensor(latent_rope_k, 3).dims[1] : 1;
  const auto rotated = static_cast<double>(rotated_size);
  const auto key_heads = static_cast<double>(groups);
  const Operand* const cache = input.find(latent_rope_cache);
  const Operand* const result = input.find(latent_rope_out);
  const auto type_or = [&](const Operand* operand) -> const std::string& {
    return operand == nullptr || find_element_type(operand->type) == nullptr ? q.type : operand->type;
  };

  out.quality = Quality::exact;
  out.unit = ComputeUnit::vector;
  out.precision = precision_of(q.type);
  out.flops = 3 * tokens * rotated * (query_heads + key_heads);
  const double of_a_head = tokens * (static_cast<double>(q.dims[2]) + rotated);
  Traffic traffic;
  traffic.add(of_a_head * (query_heads + key_heads), q.type);
  traffic.add(of_a_head * query_heads, type_or(result));
  traffic.add(of_a_head * key_heads, type_or(cache));
  traffic.put_into(out);
  out.add_parameter("T", q.dims[0]);
  out.add_parameter("QH", q.dims[1]);
  out.add_parameter("KH", groups);
  out.add_parameter("L", q.dims[2]);
  out.add_parameter("P", rotated_size);
}
}  // namespace

constinit const ModelFamily latent_rope_family = {.name = "latent_rope",
                                                  .meaning = "rotary embedding of latent attention, with its cache",
                                                  .fields = latent_rope_fields,
                                                  .forward = estimate_latent_rope};
}  // namespace kinetoscope::perf_model
