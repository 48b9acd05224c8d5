#include "core/perf_model/families/rope.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/perf_model/traffic.hpp"

namespace kinetoscope::perf_model {
namespace {

constexpr Field rope_a{"a", FieldKind::tensor, true, "first operand: queries"};
constexpr Field rope_b{"b", FieldKind::tensor, false, "second operand: keys"};
constexpr Field rope_rank{"rank", FieldKind::number, false, "dimensions that the first operand has at least"};
constexpr Field rope_head{"head", FieldKind::literal, false, "size of a head: operands are [T, heads x size]"};
constexpr Field rope_table{"table", FieldKind::tensor, false, "angles, as wide as what is rotated of a head"};
constexpr std::array rope_fields = {rope_a, rope_b, rope_rank, rope_head, rope_table};

/// Rotated values of operands whose heads lie side by side.
double rotated_in_heads(const ModelInput& input) {
  const Operand& a = input.tensor(rope_a, 2);
  const auto head = static_cast<double>(input.whole_number(rope_head).value_or(a.dims.back()));
  if (head < 1) throw NoEstimate{Gap::literal_not_fitting, "head"};
  double rotated = head;
  if (input.find(rope_table) != nullptr) rotated = static_cast<double>(input.tensor(rope_table, 2).dims[1]);
  double heads = std::floor(static_cast<double>(a.dims[1]) / head);
  if (input.find(rope_b) != nullptr) {
    heads += std::floor(static_cast<double>(input.tensor(rope_b, 2).dims[1]) / head);
  }
  return static_cast<double>(a.dims[0]) * heads * rotated;
}

void estimate_rope(const ModelInput& input, Estimate& out) {
  const Operand& a = input.tensor(rope_a, static_cast<std::size_t>(std::clamp(input.fixed(rope_rank, 1), 0.0, 64.0)));
  out.quality = Quality::exact;
  out.unit = ComputeUnit::vector;
  out.precision = precision_of(a.type);
  double rotated = 0;
  Traffic traffic;
  if (input.has(rope_head)) {
    rotated = rotated_in_heads(input);
    traffic.add(2 * rotated, a.type);
  } else {
    rotated = elements_of(a.dims);
    traffic.add(a);
    if (input.find(rope_b) != nullptr) {
      const Operand& b = input.tensor(rope_b);
      rotated += elements_of(b.dims);
      traffic.add(b);
    }
    traffic.add(rotated, a.type);
  }
  traffic.put_into(out);
  out.flops = 3 * rotated;
  out.add_parameter("num_elements", static_cast<std::int64_t>(std::min(9e18, rotated)));
}
}  // namespace

constinit const ModelFamily rope_family = {
    .name = "rope", .meaning = "rotary position embedding", .fields = rope_fields, .forward = estimate_rope};
}  // namespace kinetoscope::perf_model
